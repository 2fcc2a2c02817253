// The panel of what waits for a person.

import { randomBytes } from "node:crypto";
import * as os from "node:os";
import * as vscode from "vscode";
import { HeedError, run } from "./heed";
import type { Shown } from "./messages";
import { page } from "./page";
import { approveLine, denyLine, notKnown, parsePending, pendingRun, pressed, shown, type Caller } from "./pending";
import { configuredPath, program, type Limits } from "./settings";

/** Looks what waits, and shows it. */
export class PendingView implements vscode.WebviewViewProvider, vscode.Disposable {
  private view: vscode.WebviewView | undefined;
  private shown: Shown = { type: "shown", rows: [], note: "heed is being asked." };
  private looking = false;
  private timer: NodeJS.Timeout | undefined;
  private readonly stop = new AbortController();
  /** Why the last look failed. */
  error: HeedError | undefined;

  constructor(
    private readonly extension: vscode.Uri,
    private readonly limits: Limits,
    private readonly changed: () => void,
  ) {}

  /** Looks now, and again and again while a person is here. */
  begin(): void {
    this.timer = setInterval(() => {
      if (vscode.window.state.focused) void this.look();
    }, this.limits.poll);
    void this.look();
  }

  /** How many wait. */
  get waiting(): number {
    return this.shown.rows.length;
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    const out = vscode.Uri.joinPath(this.extension, "out", "src");
    const media = vscode.Uri.joinPath(this.extension, "media");
    const { webview } = view;
    this.view = view;
    webview.options = { enableScripts: true, enableForms: false, localResourceRoots: [out, media] };
    webview.onDidReceiveMessage((message: unknown) => void this.receive(message));
    view.onDidDispose(() => (this.view = undefined));
    webview.html = page({
      source: webview.cspSource,
      script: webview.asWebviewUri(vscode.Uri.joinPath(out, "panel.js")).toString(),
      style: webview.asWebviewUri(vscode.Uri.joinPath(media, "panel.css")).toString(),
      nonce: randomBytes(16).toString("base64"),
    });
    this.mark();
  }

  dispose(): void {
    clearInterval(this.timer);
    this.stop.abort();
  }

  /** Asks heed what waits, once at a time. */
  async look(): Promise<void> {
    if (this.looking) return;
    this.looking = true;
    try {
      const r = await run({ ...pendingRun(program(), os.homedir(), this.limits.timeout), signal: this.stop.signal });
      this.error = undefined;
      this.show(shown(parsePending(r.stdout), r.stderr));
    } catch (e) {
      if (this.stop.signal.aborted) return;
      this.error = e instanceof HeedError ? e : new HeedError("failed", String(e));
      this.show(notKnown(this.error));
    } finally {
      this.looking = false;
    }
  }

  // A page that stays as it is keeps its place and its focus.
  private show(shown: Shown): void {
    const same = JSON.stringify(shown) === JSON.stringify(this.shown);
    this.shown = shown;
    if (!same) {
      void this.view?.webview.postMessage(shown);
      this.mark();
    }
    this.changed();
  }

  private mark(): void {
    if (this.view) this.view.badge = this.waiting > 0 ? { value: this.waiting, tooltip: `${this.waiting} waiting for a person` } : undefined;
  }

  private async receive(message: unknown): Promise<void> {
    const p = pressed(message);
    if (p?.type === "ready") await this.view?.webview.postMessage(this.shown);
    if ((p?.type === "approve" || p?.type === "deny") && this.shown.rows.some((r) => r.digest === p.digest)) await (p.type === "approve" ? approve(p.digest) : deny(p.digest));
  }
}

function caller(): Caller {
  return { program: configuredPath(), platform: process.platform };
}

async function approve(digest: string): Promise<void> {
  await hand(approveLine(caller(), digest), "It shows the command, what would follow, and asks for what a yes takes.");
}

async function deny(digest: string): Promise<void> {
  const reason = await vscode.window.showInputBox({ title: "heed deny", prompt: "Why not? Whoever asked is told. It may be left empty." });
  if (reason !== undefined) await hand(denyLine(caller(), digest, reason), "It refuses the request and keeps the reason.");
}

// An answer is given to heed, by a person, at a terminal that no agent types into. Terminals
// of VS Code are none: heed refuses there. So the line is only handed over.
async function hand(line: string, what: string): Promise<void> {
  const copy = "Copy";
  const open = "Copy, and open a terminal outside";
  const remote = vscode.env.remoteName !== undefined;
  const where = remote ? `a terminal of your own on ${os.hostname()}` : "a terminal outside of VS Code";
  const detail = `${line}\n\n${what} Run it in ${where}: agents can type into the terminals of VS Code, so heed takes no answer there.`;
  const chosen = await vscode.window.showInformationMessage("heed takes the answer at a terminal.", { modal: true, detail }, ...(remote ? [copy] : [open, copy]));
  if (chosen === undefined) return;
  await vscode.env.clipboard.writeText(line);
  if (chosen === open) await vscode.commands.executeCommand("workbench.action.terminal.openNativeConsole");
}
