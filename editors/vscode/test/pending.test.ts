import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import test from "node:test";
import { HeedError } from "../src/heed";
import { approveLine, denyLine, nameOf, notKnown, parsePending, pressed, row, shown } from "../src/pending";
import { waiting } from "./data";

const recorded = waiting().trim().split("\n").map((line) => JSON.parse(line) as Record<string, unknown> & { shown: Record<string, unknown> });
const print = (...objects: unknown[]): string => objects.map((o) => JSON.stringify(o) + "\n").join("");

test("the recorded requests: the worst first, and of these the youngest", () => {
  const all = parsePending(waiting());
  assert.deepEqual(all.map((r) => r.shown?.tier), ["REVIEW", "REVIEW", "CAUTION"]);
  assert.ok(all[0] && all[1] && all[0].made > all[1].made);
  const last = all[2];
  assert.ok(last);
  const r = row(last);
  assert.equal(r.sentence, "Adds left-pad to package.json and node_modules; its install scripts can run.");
  assert.equal(r.command, "npm install left-pad");
  assert.deepEqual(r.facts.slice(0, 2), [["asks", "codex, on its own idea"], ["in", "/home/u/project"]]);
  assert.equal(r.name, nameOf(last.digest));
  assert.match(r.name, /^[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}$/);
  assert.equal(r.takes, "A yes takes a plain yes.");
  assert.deepEqual(r.safer, [{ command: "npm install left-pad --ignore-scripts", why: "runs no install scripts" }]);
  assert.equal(r.lists.find((l) => l.heading === "And so")?.items.length, 1);
});

test("what a yes takes", () => {
  const takes = (change: object): string => {
    const o = { ...recorded[0], shown: { ...recorded[0]?.shown, ...change } };
    const [r] = parsePending(print(o));
    assert.ok(r);
    return row(r).takes;
  };
  assert.equal(takes({ confirm: { by: "word", what: "path", word: "secret" } }), "A yes takes the word that it turns on, a path, or your PIN if you have one.");
  assert.equal(takes({ confirm: { by: "pin" } }), "A yes takes your PIN.");
  assert.equal(takes({ final: true }), "No yes lets it run.");
});

test("the word itself is only shown at the terminal", () => {
  const o = { ...recorded[0], shown: { ...recorded[0]?.shown, confirm: { by: "word", what: "path", word: "xyzzy" } } };
  const [r] = parsePending(print(o));
  assert.ok(r);
  assert.doesNotMatch(JSON.stringify(row(r)), /xyzzy/);
});

test("a request that cannot be read is shown as such, and hides no other", () => {
  const newer = { ...recorded[0], shown: { ...recorded[0]?.shown, format: "heed-consent/2" } };
  for (const odd of [newer, { ...recorded[0], shown: null }, { ...recorded[0], shown: { ...recorded[0]?.shown, tier: "FINE" } }]) {
    const all = parsePending(print(recorded[2], odd));
    assert.equal(all.length, 2);
    assert.equal(all[0]?.shown, undefined, "first");
    const r = row(all[0] ?? assert.fail());
    assert.deepEqual([r.tier, r.final, r.command], ["REVIEW", true, ""]);
    assert.match(r.sentence, /heed watch/);
  }
});

test("an answer that is not understood is none", () => {
  for (const o of [{ ...recorded[0], digest: "$(reboot)" }, { ...recorded[0], made: "yesterday" }, { ...recorded[0], state: 1 }, 7]) {
    assert.throws(() => parsePending(print(o)), (e) => e instanceof HeedError && e.trouble === "garbled");
  }
  assert.deepEqual(parsePending(""), []);
  assert.deepEqual(parsePending(print({ ...recorded[0], state: "approved" })), [], "it does not wait any more");
});

test("what the panel is told", () => {
  assert.deepEqual(shown([], ""), { type: "shown", rows: [], note: "Nothing waits for you." });
  assert.equal(shown(parsePending(waiting()).slice(0, 1), "").note, "One command waits for you.");
  assert.equal(shown(parsePending(waiting()), "heed: note: 1 request in \x1b[2J cannot be read\n").note, "3 commands wait for you, the worst first. heed: note: 1 request in \\x1b[2J cannot be read");
  assert.deepEqual(notKnown(new HeedError("missing", "heed is not on PATH")), { type: "shown", rows: [], note: "What waits is not known: heed is not on PATH." });
});

test("the page can say three things", () => {
  const digest = "0".repeat(64);
  assert.deepEqual(pressed({ type: "ready", more: 1 }), { type: "ready" });
  assert.deepEqual(pressed({ type: "approve", digest }), { type: "approve", digest });
  assert.deepEqual(pressed({ type: "deny", digest }), { type: "deny", digest });
  for (const m of [undefined, null, "ready", {}, { type: "run" }, { type: "approve" }, { type: "approve", digest: "0" }, { type: "deny", digest: digest + "\n" }, { type: "deny", digest: [digest] }]) assert.equal(pressed(m), undefined);
});

const digest = "0123456789ab".padEnd(64, "f");

test("lines for a terminal", () => {
  assert.equal(approveLine({ program: "", platform: "linux" }, digest), "heed approve 0123-4567-89ab");
  assert.equal(approveLine({ program: "/opt/heed/heed", platform: "darwin" }, digest), "/opt/heed/heed approve 0123-4567-89ab");
  assert.equal(approveLine({ program: "/opt/my heed", platform: "linux" }, digest), "'/opt/my heed' approve 0123-4567-89ab");
  assert.equal(approveLine({ program: "C:\\Program Files\\heed.exe", platform: "win32" }, digest), "& 'C:\\Program Files\\heed.exe' approve 0123-4567-89ab");
  assert.equal(denyLine({ program: "", platform: "linux" }, digest, " \n"), "heed deny 0123-4567-89ab");
  assert.equal(denyLine({ program: "", platform: "win32" }, digest, "it's ‘mine’"), "heed deny 0123-4567-89ab --reason 'it''s ‘‘mine’’'");
});

test("a reason is one word to a shell, whatever it holds", () => {
  const reasons = ["no", "it's mine", "$(touch x) `touch x` $HOME", "a'; touch x; '", "a\nrm -rf /\r\x1b[2J\u202e", "--reason", "\\", "!!", "-"];
  for (const reason of reasons) {
    const line = denyLine({ program: "", platform: "linux" }, digest, reason);
    assert.doesNotMatch(line, /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    const words = execFileSync("sh", ["-c", `heed() { printf '%s\\n' "$@"; }; ${line}`]).toString();
    assert.equal(words, `deny\n0123-4567-89ab\n--reason\n${reason.replace(/[\p{C}\p{Z}]+/gu, " ").trim()}\n`);
  }
});
