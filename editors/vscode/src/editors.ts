// Badges, hovers and problems of the files that are open.

import * as vscode from "vscode";
import { draw, hoversAt, type Drawn, type Hover, type Problem } from "./badges";
import { HeedError, parseScan, readText, run, scanRun } from "./heed";
import { kindOf } from "./kinds";
import { Scanner } from "./scanner";
import { program, settings, type Limits } from "./settings";
import { tiers, type Tier } from "./tiers";

/** Judges the files that are shown, and draws what comes of it. */
export class Editors implements vscode.Disposable {
  private readonly results = new Map<vscode.TextDocument, Drawn | HeedError>();
  private readonly problems = vscode.languages.createDiagnosticCollection("heed");
  private readonly styles = new Map<Tier, vscode.TextEditorDecorationType>(tiers.map((t) => [t, style(t)]));
  private readonly scanner: Scanner<vscode.TextDocument>;
  private readonly subscriptions: vscode.Disposable[];

  constructor(
    private readonly limits: Limits,
    private readonly changed: () => void,
  ) {
    this.scanner = Scanner.of<vscode.TextDocument, Drawn>({
      judge: (document, signal) => this.judge(document, signal),
      done: (document, drawn) => this.take(document, drawn),
      failed: (document, e) => this.take(document, e instanceof HeedError ? e : new HeedError("failed", String(e))),
    });
    this.subscriptions = [
      vscode.window.onDidChangeVisibleTextEditors(() => this.look()),
      vscode.window.onDidChangeActiveTextEditor(() => this.changed()),
      vscode.workspace.onDidChangeTextDocument((e) => this.edited(e)),
      vscode.workspace.onDidSaveTextDocument((document) => this.ask(document, 0)),
      vscode.workspace.onDidCloseTextDocument((document) => this.close(document)),
      vscode.languages.registerHoverProvider({ scheme: "file" }, { provideHover: (document, position) => this.hover(document, position) }),
      this.problems,
      this.scanner,
      ...this.styles.values(),
    ];
  }

  /** What came of the file that has the focus; undefined where it holds no commands, or is not judged yet. */
  active(): Drawn | HeedError | undefined {
    const document = vscode.window.activeTextEditor?.document;
    return document && this.results.get(document);
  }

  /** Judges all files that are shown again. */
  again(): void {
    for (const document of [...this.results.keys()]) this.close(document);
    this.look();
  }

  dispose(): void {
    vscode.Disposable.from(...this.subscriptions).dispose();
  }

  /** Judges what has come into sight, or shows what is known of it. */
  look(): void {
    for (const { document } of vscode.window.visibleTextEditors) {
      const known = this.results.get(document);
      if (known === undefined) this.ask(document, 0);
      else this.paint(document, known);
    }
  }

  private ask(document: vscode.TextDocument, after: number): void {
    if (document.uri.scheme !== "file" || kindOf(document.uri.fsPath, document.languageId) === undefined || !settings(document.uri).enable) {
      this.close(document);
      return;
    }
    this.scanner.ask(document, after);
  }

  // What was said of another text is taken away at once: [SAFE] beside a line that was just
  // changed would be a lie. Warnings stay until the next answer.
  private edited(e: vscode.TextDocumentChangeEvent): void {
    if (e.contentChanges.length === 0) return;
    if (this.results.delete(e.document)) this.paint(e.document, undefined);
    if (vscode.window.visibleTextEditors.some((editor) => editor.document === e.document)) this.ask(e.document, settings(e.document.uri).debounce);
    else this.scanner.forget(e.document);
  }

  private close(document: vscode.TextDocument): void {
    this.scanner.forget(document);
    this.problems.delete(document.uri);
    if (this.results.delete(document)) this.paint(document, undefined);
    this.changed();
  }

  private async judge(document: vscode.TextDocument, signal: AbortSignal): Promise<Drawn> {
    const file = document.uri.fsPath;
    const kind = kindOf(file, document.languageId) ?? "";
    const text = document.isDirty ? document.getText() : await readText(file);
    const { stdout } = await run(scanRun(program(), { file, kind, text }, this.limits.timeout, signal));
    const { least, listed } = settings(document.uri);
    return draw(text.toString(), parseScan(stdout), least, listed);
  }

  private take(document: vscode.TextDocument, result: Drawn | HeedError): void {
    this.results.set(document, result);
    this.problems.set(document.uri, result instanceof HeedError ? [] : result.problems.map(diagnostic));
    this.paint(document, result);
    this.changed();
  }

  private paint(document: vscode.TextDocument, result: Drawn | HeedError | undefined): void {
    const badges = result === undefined || result instanceof HeedError ? [] : result.badges;
    for (const editor of vscode.window.visibleTextEditors.filter((e) => e.document === document)) {
      for (const [tier, type] of this.styles) {
        const mine = badges.filter((b) => b.tier === tier && b.line < document.lineCount);
        editor.setDecorations(type, mine.map((b) => ({ range: document.lineAt(b.line).range, renderOptions: { after: { contentText: b.text } } })));
      }
    }
  }

  private hover(document: vscode.TextDocument, position: vscode.Position): vscode.Hover | undefined {
    const result = this.results.get(document);
    if (result === undefined || result instanceof HeedError) return undefined;
    const here = hoversAt(result.hovers, position.line);
    return here.length > 0 ? new vscode.Hover(here.map(markdown)) : undefined;
  }
}

function style(tier: Tier): vscode.TextEditorDecorationType {
  return vscode.window.createTextEditorDecorationType({
    after: { margin: "0 0 0 2em", color: new vscode.ThemeColor("heed." + tier.toLowerCase()) },
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  });
}

function diagnostic(p: Problem): vscode.Diagnostic {
  const range = new vscode.Range(p.start.line, p.start.character, p.end.line, p.end.character);
  const severity = p.tier === "REVIEW" ? vscode.DiagnosticSeverity.Warning : vscode.DiagnosticSeverity.Information;
  const d = new vscode.Diagnostic(range, p.message, severity);
  d.source = "heed";
  return d;
}

// Foreign text goes in as text and as code only, so that nothing of it is Markdown.
function markdown(h: Hover): vscode.MarkdownString {
  const m = new vscode.MarkdownString();
  for (const p of h.pieces) {
    if ("badge" in p) m.appendMarkdown(`**\\[${p.badge}\\]** `).appendText(p.text).appendMarkdown("\n\n");
    else if ("heading" in p) m.appendMarkdown(`\n\n**${p.heading}**\n\n`);
    else if ("item" in p) m.appendMarkdown("- ").appendText(p.item).appendMarkdown("\n");
    else if ("code" in p) m.appendCodeblock(p.code, "shellscript");
    else m.appendText(p.text).appendMarkdown("\n\n");
  }
  return m;
}
