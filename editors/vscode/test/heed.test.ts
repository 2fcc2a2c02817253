import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import test from "node:test";
import { HeedError, locate, parseScan, readText, run, scanRun, type Run, type Search, type Trouble } from "../src/heed";
import { program, samples, scanned, temporary, until } from "./data";

function troubled(trouble: Trouble, message: RegExp) {
  return (e: unknown): boolean => {
    assert.ok(e instanceof HeedError);
    assert.equal(e.trouble, trouble);
    assert.match(e.message, message);
    return true;
  };
}

test("all recorded answers are understood", () => {
  let n = 0;
  for (const name of samples()) {
    const findings = parseScan(scanned(name));
    assert.ok(findings.length > 0, name);
    n += findings.length;
  }
  assert.ok(n > 30);
  const [worst] = parseScan(scanned("tool"));
  assert.ok(worst);
  assert.deepEqual([worst.start, worst.endLine, worst.decided, worst.tier], [{ line: 2, column: 1 }, 2, { line: 2, column: 1 }, "REVIEW"]);
  assert.equal(worst.command, 'rm -rf "$1"');
  assert.equal(worst.summary, "Deletes everything in . if $1 is empty.");
  assert.match(worst.rule, /^fs\.delete: /);
  assert.deepEqual(worst.direct, [worst.summary]);
});

test("an answer that is not understood is none", () => {
  const good = JSON.parse(scanned("tool").split("\n")[0] ?? "") as Record<string, unknown>;
  const assessment = good["assessment"] as object;
  const bad: [unknown, RegExp][] = [
    [{ ...good, tier: "FINE" }, /tier is not as it should be/],
    [{ ...good, tier: undefined }, /tier/],
    [{ ...good, line: 0 }, /line/],
    [{ ...good, line: 1.5 }, /line/],
    [{ ...good, line: 9, end_line: 2 }, /end_line/],
    [{ ...good, decided: null }, /decided/],
    [{ ...good, summary: 1 }, /summary/],
    [{ ...good, assessment: { ...assessment, reasons: "x" } }, /reasons/],
    [{ ...good, assessment: { ...assessment, safer: [{}] } }, /safer/],
    [[], /no object/],
    [null, /no object/],
  ];
  for (const [value, message] of bad) assert.throws(() => parseScan(JSON.stringify(value) + "\n"), troubled("garbled", message));
  assert.throws(() => parseScan('{"file"'), troubled("garbled", /no JSON/));
  assert.throws(() => parseScan("[SAFE] all is well\n"), troubled("garbled", /no JSON/));
  assert.deepEqual(parseScan(""), []);
});

test("heed gets the text, the name and the directory", async (t) => {
  const dir = temporary(t);
  const file = path.join(dir, "p", "a b.sh");
  const heed = program(path.join(dir, "bin"), 'pwd; for a in "$@"; do echo "<$a>"; done; cat\n');
  fs.mkdirSync(path.dirname(file));
  const r = await run(scanRun(heed, { file, kind: "shell", text: "ls\n" }, 5000));
  assert.equal(r.stdout, `${path.dirname(file)}\n<scan>\n<--json>\n<--kind>\n<shell>\n<--name>\n<${file}>\n<->\nls\n`);
});

test("a run that goes wrong says why", async (t) => {
  const dir = temporary(t);
  const r = (script: string): Run => ({ program: program(dir, script), args: [], cwd: dir, timeout: 5000 });
  await assert.rejects(run(r('echo "heed: unknown flag: \x1b[2J--name" >&2; echo more >&2; exit 2')), troubled("failed", /^heed: unknown flag: \\x1b\[2J--name$/));
  await assert.rejects(run(r("exit 3")), troubled("failed", /^heed ended with code 3$/));
  await assert.rejects(run(r("kill -9 $$")), troubled("failed", /^heed ended with SIGKILL$/));
  await assert.rejects(run({ ...r(""), program: path.join(dir, "none") }), troubled("missing", /cannot be started/));
  await assert.rejects(run({ ...r("exec cat /dev/zero"), timeout: 60_000 }), troubled("garbled", /more than can be read/));
});

test("text that heed does not read is no fault", async (t) => {
  const dir = temporary(t);
  const r = await run({ program: program(dir, "echo done"), args: [], cwd: dir, timeout: 5000, input: Buffer.alloc(4 << 20, "x") });
  assert.equal(r.stdout, "done\n");
});

for (const [trouble, act] of [
  ["timeout", (): void => undefined],
  ["cancelled", (c: AbortController): void => c.abort()],
] as const) {
  test(`a run ends: ${trouble}`, async (t) => {
    const dir = temporary(t);
    const heed = program(dir, "echo $$ > pid.new; mv pid.new pid; exec sleep 600");
    const controller = new AbortController();
    const running = run({ program: heed, args: [], cwd: dir, timeout: trouble === "timeout" ? 500 : 60_000, signal: controller.signal });
    const refused = assert.rejects(running, troubled(trouble, trouble === "timeout" ? /no answer within 0.5 s/ : /not asked any more/));
    const pid = path.join(dir, "pid");
    await until("it runs", () => fs.existsSync(pid));
    act(controller);
    await refused;
    await until("it is gone", () => !fs.existsSync(`/proc/${fs.readFileSync(pid, "utf8").trim()}/stat`) || process.platform !== "linux");
  });
}

test("a run that is cancelled beforehand is none", async (t) => {
  const dir = temporary(t);
  const heed = program(dir, "touch ran");
  await assert.rejects(run({ program: heed, args: [], cwd: dir, timeout: 5000, signal: AbortSignal.abort() }), troubled("cancelled", /not asked/));
  assert.ok(!fs.existsSync(path.join(dir, "ran")));
});

test("where heed is looked for", (t) => {
  const dir = temporary(t);
  const bin = path.join(dir, "bin");
  const workspace = path.join(dir, "work");
  const heed = program(bin, "");
  program(path.join(workspace, "node_modules", ".bin"), "");
  fs.symlinkSync(path.join(workspace, "node_modules", ".bin"), path.join(dir, "link"));
  fs.symlinkSync(workspace, path.join(dir, "other"));
  fs.mkdirSync(path.join(dir, "empty", "heed"), { recursive: true });
  fs.mkdirSync(path.join(dir, "text"));
  fs.writeFileSync(path.join(dir, "text", "heed"), "", { mode: 0o644 });
  const search = (PATH: string, more: Partial<Search> = {}): Search => ({ configured: "", env: { PATH }, platform: "linux", avoid: [workspace], ...more });
  const nowhere = troubled("missing", /not on PATH/);

  assert.equal(locate(search(`/none:${path.join(dir, "empty")}:${path.join(dir, "text")}:${bin}`)), heed);
  assert.throws(() => locate(search("")), nowhere);
  assert.throws(() => locate(search(`:.:node_modules/.bin:${path.join(workspace, "node_modules", ".bin")}`)), nowhere);
  assert.throws(() => locate(search(path.join(dir, "link"))), nowhere, "through a link into the workspace");
  assert.throws(() => locate(search(path.join(dir, "other", "node_modules", ".bin"))), nowhere, "by another name of the workspace");
  assert.throws(() => locate(search(path.join(workspace, "node_modules", ".bin"), { avoid: [path.join(dir, "other")] })), nowhere, "the folder is a link");
  assert.equal(locate(search("", { configured: heed })), heed);
  assert.throws(() => locate(search(bin, { configured: "bin/heed" })), troubled("missing", /absolute/));
  assert.throws(() => locate(search(bin, { configured: path.join(dir, "gone") })), troubled("missing", /there is no program/));
});

test("a file is read as it is, and no further than heed looks", async (t) => {
  const dir = temporary(t);
  const file = path.join(dir, "a.sh");
  fs.writeFileSync(file, Buffer.from([0xef, 0xbb, 0xbf, 0x6c, 0x73, 0x0d, 0xff]));
  assert.deepEqual([...(await readText(file))], [0xef, 0xbb, 0xbf, 0x6c, 0x73, 0x0d, 0xff]);
  fs.writeFileSync(file, Buffer.alloc(3 << 20));
  assert.equal((await readText(file)).length, (1 << 20) + 1);
  await assert.rejects(readText(path.join(dir, "none")), troubled("failed", /cannot be read/));
});
