import assert from "node:assert/strict";
import test from "node:test";
import { parsePending } from "../src/pending";
import { cut, visible } from "../src/visible";
import { waiting } from "./data";

test("every character that hides or turns is shown", () => {
  const cases: [string, string][] = [
    ["plain text, ünïcode 漢 🚀", "plain text, ünïcode 漢 🚀"],
    ["a\nb\tc\r", "a\\nb\\tc\\x0d"],
    ["\x1b[2J\x07\x7f\x9b", "\\x1b[2J\\x07\\x7f\\u009b"],
    ["\u202etxt.exe\u2066\u2069", "\\u202etxt.exe\\u2066\\u2069"],
    ["a\u200bb\u200d\ufeff\u00ad", "a\\u200bb\\u200d\\ufeff\\u00ad"],
    ["a\u00a0b\u3000c\u2028", "a\\u00a0b\\u3000c\\u2028"],
    ["\ufe0f\u{e0100}\u{e0041}", "\\ufe0f\\ue0100\\ue0041"],
    ["\u3164\u115f\u1160\uffa0\u2800\u034f", "\\u3164\\u115f\\u1160\\uffa0\\u2800\\u034f"],
    ["\ud800", "\\ud800"],
    ["\ue000", "\\ue000"],
  ];
  for (const [text, want] of cases) assert.equal(visible(text), want);
});

test("foreign text is no badge", () => {
  assert.equal(visible("[SAFE] [review] [Caution] SAFE]"), "[·SAFE·] [·review·] [·Caution·] SAFE·]");
  assert.equal(visible("[unsafe thing] [SA FE]"), "[unsafe thing] [SA FE]");
});

test("what heed has made visible stays as it is", () => {
  let checked = 0;
  for (const r of parsePending(waiting())) {
    for (const text of [r.shown?.command ?? "", r.shown?.explanation ?? ""]) {
      assert.equal(visible(text), text);
      checked += text.length;
    }
  }
  assert.ok(checked > 100);
  assert.ok(waiting().includes("\\\\u202e") && waiting().includes("[·SAFE·]"), "the recorded requests hold nothing hostile");
});

test("a text is cut in the middle", () => {
  assert.equal(cut("abcdefgh", 8), "abcdefgh");
  assert.equal(cut("abcdefgh", 5), "ab…gh");
  assert.equal(cut("🚀🚀🚀🚀", 3), "🚀…🚀");
});
