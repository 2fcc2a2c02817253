// Where the recorded answers lie, and what stands in for heed.

import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import type { TestContext } from "node:test";

export const top = path.join(__dirname, "..", "..");
export const testdata = path.join(top, "test", "testdata");

/** A file of the sample project. */
export function sample(name: string): string {
  return path.join(testdata, "project", name);
}

/** The names of all files of the sample project. */
export function samples(): string[] {
  const all = fs.readdirSync(path.join(testdata, "project"), { recursive: true, encoding: "utf8" });
  return all.filter((name) => fs.statSync(sample(name)).isFile()).sort();
}

/** What heed scan --json printed for a file of the sample project. */
export function scanned(name: string): string {
  return fs.readFileSync(path.join(testdata, "scan", name.replaceAll("/", "_") + ".jsonl"), "utf8");
}

/** What heed pending --json printed. */
export function waiting(): string {
  return fs.readFileSync(path.join(testdata, "pending.jsonl"), "utf8");
}

/** A directory that is gone after the test. */
export function temporary(t: TestContext): string {
  const dir = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "heed-test-")));
  t.after(() => fs.rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** A program in the place of heed: a script of sh. */
export function program(dir: string, script: string): string {
  const file = path.join(dir, "heed");
  fs.mkdirSync(dir, { recursive: true });
  fs.writeFileSync(file, "#!/bin/sh\n" + script, { mode: 0o755 });
  return file;
}

/** Waits until something holds. */
export async function until(what: string, holds: () => boolean): Promise<void> {
  for (let i = 0; !holds(); i++) {
    if (i === 1000) throw new Error(`never happened: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
