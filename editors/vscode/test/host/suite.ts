// What only a real VS Code can show: that it takes the manifest, starts the extension, and
// gives back what was handed to it.

import assert from "node:assert/strict";
import * as vscode from "vscode";
import { until } from "../data";

/** Called in the extension host. */
export async function run(): Promise<void> {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  assert.ok(folder);
  const uri = vscode.Uri.joinPath(folder.uri, "deploy.sh");
  await vscode.window.showTextDocument(uri);
  await until("problems", () => vscode.languages.getDiagnostics(uri).length > 0);
  assert.deepEqual(
    vscode.languages.getDiagnostics(uri).map((d) => `${d.range.start.line + 1} ${d.source} ${d.message.slice(0, 8)}`),
    ["9 heed [REVIEW]", "10 heed [REVIEW]", "15 heed [REVIEW]"],
  );
  const hovers = await vscode.commands.executeCommand<vscode.Hover[]>("vscode.executeHoverProvider", uri, new vscode.Position(8, 2));
  const text = hovers.flatMap((h) => h.contents.map((c) => (typeof c === "string" ? c : c.value))).join("\n");
  assert.match(text, /REVIEW[^]*Deletes everything in/);
  const known = await vscode.commands.getCommands(true);
  for (const c of ["heed.scan", "heed.showPending", "heed.install", "heed.pending.focus", "workbench.action.terminal.openNativeConsole"]) assert.ok(known.includes(c), c);
  await vscode.commands.executeCommand("heed.showPending");
}
