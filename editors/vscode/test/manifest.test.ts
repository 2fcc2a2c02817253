import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import test from "node:test";
import { tiers } from "../src/tiers";
import { top } from "./data";

interface Manifest {
  main: string;
  capabilities: { untrustedWorkspaces: { supported: string; restrictedConfigurations: string[] } };
  contributes: {
    commands: { command: string }[];
    configuration: { properties: Record<string, { scope: string; enum?: string[] }> };
    colors: { id: string }[];
    views: Record<string, { id: string; type: string }[]>;
    viewsContainers: { activitybar: { id: string; icon: string }[] };
  };
  dependencies?: object;
}

const manifest = JSON.parse(fs.readFileSync(path.join(top, "package.json"), "utf8")) as Manifest;
const source = fs
  .readdirSync(path.join(top, "src"))
  .map((name) => fs.readFileSync(path.join(top, "src", name), "utf8"))
  .join("\n");

test("a workspace that is not trusted sets nothing that hides or runs", () => {
  const { supported, restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
  assert.equal(supported, "limited");
  const properties = Object.keys(manifest.contributes.configuration.properties);
  assert.deepEqual(restrictedConfigurations, properties.filter((p) => p !== "heed.debounce"));
  assert.equal(manifest.contributes.configuration.properties["heed.path"]?.scope, "machine");
});

test("what the manifest offers is what the code has", () => {
  const registered = [...source.matchAll(/registerCommand\("([^"]+)"/g)].map((m) => m[1]);
  assert.deepEqual(manifest.contributes.commands.map((c) => c.command).sort(), registered.sort());
  const read = [...source.matchAll(/\bget<unknown>\("([^"]+)"\)|inspect<unknown>\("([^"]+)"\)/g)].map((m) => "heed." + (m[1] ?? m[2]));
  assert.deepEqual([...new Set(read)].sort(), Object.keys(manifest.contributes.configuration.properties).sort());
  assert.deepEqual(manifest.contributes.colors.map((c) => c.id), tiers.map((t) => "heed." + t.toLowerCase()));
  assert.deepEqual(manifest.contributes.configuration.properties["heed.minimumTier"]?.enum, [...tiers]);
  assert.deepEqual(manifest.contributes.views, { heed: [{ id: "heed.pending", name: "Waits for you", type: "webview" }] });
  assert.ok(fs.existsSync(path.join(top, manifest.main)));
  assert.ok(fs.existsSync(path.join(top, manifest.contributes.viewsContainers.activitybar[0]?.icon ?? "")));
  assert.equal(manifest.dependencies, undefined, "nothing of others is shipped");
});

test("the parts that know no editor import none", () => {
  const glue = ["editors.ts", "extension.ts", "settings.ts", "view.ts"];
  const importing = fs.readdirSync(path.join(top, "src")).filter((name) => /from "vscode"/.test(fs.readFileSync(path.join(top, "src", name), "utf8")));
  assert.deepEqual(importing.sort(), glue);
});

test("nothing makes markup of text, runs code of text, or goes to the network", () => {
  assert.doesNotMatch(source, /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|isTrusted = true|supportHtml = true|fetch\(|XMLHttpRequest|node:https?|sendText|createTerminal|shell: true/);
});
