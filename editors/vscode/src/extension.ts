// The extension: what VS Code starts, and the status bar.

import * as vscode from "vscode";
import { Editors } from "./editors";
import { HeedError } from "./heed";
import type { Limits } from "./settings";
import { installLine, installText, status } from "./status";
import { PendingView } from "./view";

const limits: Limits = { timeout: 10_000, poll: 5_000 };

/** Called by VS Code. */
export function activate(context: vscode.ExtensionContext): void {
  context.subscriptions.push(start(context.extensionUri, limits));
}

/** Starts everything; disposing of what it returns ends it, with all runs of heed. */
export function start(extension: vscode.Uri, limits: Limits): vscode.Disposable {
  const log = vscode.window.createOutputChannel("heed", { log: true });
  const bar = vscode.window.createStatusBarItem("heed", vscode.StatusBarAlignment.Left);
  bar.name = "heed";
  const view = new PendingView(extension, limits, () => show());
  const editors = new Editors(limits, () => show());
  let before: HeedError | undefined;
  let logged = "";
  const show = (): void => {
    const active = editors.active();
    const error = active instanceof HeedError ? active : view.error;
    const s = status({ error, waiting: view.waiting, drawn: active instanceof HeedError ? undefined : active });
    bar.text = s.text;
    bar.tooltip = s.tooltip;
    bar.command = s.command;
    bar.backgroundColor = s.warns ? new vscode.ThemeColor("statusBarItem.warningBackground") : undefined;
    if (error && error.message !== logged) log.warn(error.message);
    logged = error?.message ?? "";
    // heed has come back: what had no answer is asked about again.
    const back = before !== undefined && view.error === undefined;
    before = view.error;
    if (back) editors.again();
  };
  const again = (): void => {
    editors.again();
    void view.look();
  };
  show();
  bar.show();
  view.begin();
  editors.look();
  return vscode.Disposable.from(
    log,
    bar,
    view,
    editors,
    vscode.window.registerWebviewViewProvider("heed.pending", view),
    vscode.commands.registerCommand("heed.scan", again),
    vscode.commands.registerCommand("heed.showPending", () => vscode.commands.executeCommand("heed.pending.focus")),
    vscode.commands.registerCommand("heed.install", install),
    vscode.workspace.onDidGrantWorkspaceTrust(again),
    vscode.workspace.onDidChangeWorkspaceFolders(again),
    vscode.workspace.onDidChangeConfiguration((e) => {
      if (e.affectsConfiguration("heed")) again();
    }),
  );
}

async function install(): Promise<void> {
  const copy = "Copy the line";
  const set = "Set heed.path";
  const chosen = await vscode.window.showInformationMessage("How to install heed", { modal: true, detail: installText }, copy, set);
  if (chosen === copy) await vscode.env.clipboard.writeText(installLine);
  if (chosen === set) await vscode.commands.executeCommand("workbench.action.openSettings", "heed.path");
}
