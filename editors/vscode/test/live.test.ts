// The recorded answers against a heed that is here: HEED=/path/of/heed npm test

import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import test from "node:test";
import { parseScan, run, scanRun, type Finding } from "../src/heed";
import { kindOf } from "../src/kinds";
import { parsePending, pendingRun } from "../src/pending";
import { sample, samples, scanned, temporary } from "./data";

const heed = process.env["HEED"] ?? "";
const skip = heed === "" ? "HEED names no heed" : false;

test("heed still says what was recorded (else: npm run fixtures)", { skip }, async (t) => {
  const dir = temporary(t);
  fs.cpSync(sample("."), path.join(dir, "project"), { recursive: true });
  const told = (f: Finding): string => `${f.start.line}:${f.start.column}-${f.endLine} ${f.decided.line}:${f.decided.column} ${f.tier} ${f.name} ${f.command}`;
  for (const name of samples()) {
    const file = path.join(dir, "project", name);
    const kind = kindOf(file, name === "tool" ? "shellscript" : "");
    assert.ok(kind);
    const { stdout } = await run(scanRun(heed, { file, kind, text: fs.readFileSync(file) }, 60_000));
    assert.deepEqual(parseScan(stdout).map(told), parseScan(scanned(name)).map(told), name);
  }
});

test("heed lists what waits", { skip }, async (t) => {
  const { stdout } = await run(pendingRun(heed, temporary(t), 60_000));
  assert.ok(Array.isArray(parsePending(stdout)));
});
