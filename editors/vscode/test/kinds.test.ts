import assert from "node:assert/strict";
import test from "node:test";
import { kindOf } from "../src/kinds";
import { samples, scanned } from "./data";

test("a file is of the kind that heed takes it for", () => {
  for (const name of samples()) {
    const recorded = scanned(name).split("\n").filter(Boolean).map((line) => (JSON.parse(line) as { kind: string }).kind);
    assert.deepEqual([...new Set(recorded)], [kindOf("/p/" + name, name === "tool" ? "shellscript" : "plaintext")], name);
  }
});

test("kinds by name and language", () => {
  const cases: [string, string, string | undefined][] = [
    ["/p/a.SH", "plaintext", "shell"],
    ["/p/rules.mk", "makefile", "makefile"],
    ["/p/MAKEFILE", "plaintext", undefined],
    ["/p/action.yml", "yaml", "github"],
    ["/p/.github/workflows/a.yaml", "yaml", "github"],
    ["/p/.github/workflows/deep/a.yml", "yaml", undefined],
    ["/p/values.yml", "yaml", undefined],
    ["/p/Dockerfile.dev", "dockerfile", "dockerfile"],
    ["/p/Dockerfile.dockerignore", "ignore", undefined],
    ["/p/package-lock.json", "json", undefined],
    ["/p/tool", "shellscript", "shell"],
    ["/p/.bashrc", "shellscript", "shell"],
    ["/p/a.csh", "shellscript", undefined],
    ["/p/a.ts", "typescript", undefined],
    ["/p/x", "constructor", undefined],
  ];
  for (const [file, language, want] of cases) assert.equal(kindOf(file, language), want, file);
});
