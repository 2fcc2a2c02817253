import assert from "node:assert/strict";
import test, { mock } from "node:test";
import { Scanner } from "../src/scanner";

/** A judge whose answers come when the test says so. */
class Judge {
  readonly runs: { text: string; signal: AbortSignal; answer: (n: number) => void; fail: (e: unknown) => void }[] = [];
  readonly heard: string[] = [];
  readonly scanner = Scanner.of<string, number>({
    judge: (text, signal) => new Promise((answer, fail) => this.runs.push({ text, signal, answer, fail })),
    done: (text, n) => this.heard.push(`${text} ${n}`),
    failed: (text, e) => this.heard.push(`${text} failed: ${String(e)}`),
  });
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("typing is judged once, when it rests", async (t) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  t.after(() => mock.timers.reset());
  const j = new Judge();
  for (let i = 0; i < 5; i++) {
    j.scanner.ask("a", 300);
    mock.timers.tick(299);
  }
  assert.equal(j.runs.length, 0);
  mock.timers.tick(1);
  assert.equal(j.runs.length, 1);
  j.runs[0]?.answer(1);
  await settle();
  assert.deepEqual(j.heard, ["a 1"]);
});

test("a change cancels the run, and its answer does not count", async (t) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  t.after(() => mock.timers.reset());
  const j = new Judge();
  j.scanner.ask("a", 0);
  j.scanner.ask("b", 0);
  mock.timers.tick(1);
  j.scanner.ask("a", 300);
  assert.deepEqual(j.runs.map((r) => r.signal.aborted), [true, false], "at once, and only its own");
  mock.timers.tick(300);
  j.runs[2]?.answer(2);
  await settle();
  j.runs[0]?.answer(1);
  j.runs[1]?.answer(9);
  await settle();
  assert.deepEqual(j.heard, ["a 2", "b 9"]);
});

test("a fault is told, a cancelled run is none", async (t) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  t.after(() => mock.timers.reset());
  const j = new Judge();
  j.scanner.ask("a", 0);
  j.scanner.ask("b", 0);
  mock.timers.tick(1);
  j.scanner.forget("a");
  j.runs[0]?.fail("cancelled");
  j.runs[1]?.fail("broken");
  await settle();
  assert.deepEqual(j.heard, ["b failed: broken"]);
});

test("nothing is left at the end", async (t) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  t.after(() => mock.timers.reset());
  const j = new Judge();
  j.scanner.ask("a", 0);
  mock.timers.tick(1);
  j.scanner.ask("b", 300);
  j.scanner.dispose();
  mock.timers.tick(1000);
  assert.equal(j.runs.length, 1);
  assert.equal(j.runs[0]?.signal.aborted, true);
  j.runs[0]?.answer(1);
  await settle();
  assert.deepEqual(j.heard, []);
});
