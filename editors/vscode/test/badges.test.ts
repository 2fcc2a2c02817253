import assert from "node:assert/strict";
import * as fs from "node:fs";
import test from "node:test";
import { draw, hoversAt, places, type Piece } from "../src/badges";
import { parseScan, type Finding } from "../src/heed";
import { sample, samples, scanned } from "./data";

function drawn(name: string, least: "SAFE" | "CAUTION" | "REVIEW" = "SAFE", listed: "off" | "CAUTION" | "REVIEW" = "REVIEW") {
  return draw(fs.readFileSync(sample(name), "utf8"), parseScan(scanned(name)), least, listed);
}

test("badges of a script", () => {
  assert.deepEqual(
    drawn("deploy.sh").badges.map((b) => `${b.line + 1} ${b.text}`),
    [
      "2 [SAFE]",
      "3 [SAFE]",
      "4 [SAFE]",
      "7 [SAFE]",
      "8 [CAUTION] Creates ./out.",
      "9 [REVIEW] Deletes everything in / if $TARGET is empty.",
      "10 [REVIEW] Downloads https://get.example.com/install.sh and runs it, unseen.",
      "13 [CAUTION] Deletes what matches *.log; nothing there now.",
      "15 [REVIEW] Deletes /srv/www and all in it; nothing there now.",
    ],
  );
});

test("each badge stands beside its command, in every kind of file", () => {
  for (const name of samples().filter((n) => n !== "returns.sh")) {
    const lines = fs.readFileSync(sample(name), "utf8").split("\n");
    for (const f of parseScan(scanned(name))) {
      const first = f.command.split("\n")[0] ?? "";
      const line = lines[f.start.line - 1] ?? "";
      const at = places(lines.join("\n"))(f.start);
      assert.equal(at.line, f.start.line - 1);
      assert.ok(line.startsWith(first.slice(0, 8), at.character), `${name}: ${first} at ${at.character} of ${line}`);
    }
  }
});

test("the least tier leaves out badges and hovers, and no problem", () => {
  const all = drawn("deploy.sh");
  const least = drawn("deploy.sh", "REVIEW");
  assert.deepEqual(least.badges.map((b) => b.tier), ["REVIEW", "REVIEW", "REVIEW"]);
  assert.equal(least.hovers.length, 3);
  assert.deepEqual(least.problems, all.problems);
});

test("problems", () => {
  const of = (listed: "off" | "CAUTION" | "REVIEW") => drawn("deploy.sh", "SAFE", listed).problems;
  assert.deepEqual(of("off"), []);
  assert.equal(of("CAUTION").length, 5);
  assert.deepEqual(
    of("REVIEW").map((p) => [p.start, p.end]),
    [
      [{ line: 8, character: 0 }, { line: 8, character: 7 }],
      [{ line: 9, character: 0 }, { line: 9, character: 50 }],
      [{ line: 14, character: 0 }, { line: 15, character: 10 }],
    ],
  );
  assert.equal(of("REVIEW")[0]?.message, "[REVIEW] Deletes everything in / if $TARGET is empty.");
  const inLoop = of("CAUTION").find((p) => p.message.includes("*.log"));
  assert.deepEqual([inLoop?.start, inLoop?.end], [{ line: 12, character: 2 }, { line: 12, character: 12 }]);
});

test("places of an editor", () => {
  const at = places("\ufeffa🚀b\r\nx\ry\nz");
  assert.deepEqual(at({ line: 1, column: 2 }), { line: 0, character: 0 }, "behind the mark of byte order");
  assert.deepEqual(at({ line: 1, column: 4 }), { line: 0, character: 3 }, "behind a character of two units");
  assert.deepEqual(at({ line: 1, column: Infinity }), { line: 0, character: 4 }, "the end of a line with \\r\\n");
  assert.deepEqual(at({ line: 2, column: 1 }), { line: 1, character: 0 });
  assert.deepEqual(at({ line: 2, column: 3 }), { line: 2, character: 0 }, "behind a lone \\r");
  assert.deepEqual(at({ line: 3, column: 1 }), { line: 3, character: 0 });
  assert.deepEqual(at({ line: 3, column: 99 }), { line: 3, character: 1 }, "no further than the line");
  assert.deepEqual(at({ line: 99, column: 1 }), { line: 3, character: 1 }, "no further than the text");
  assert.deepEqual(places("")({ line: 1, column: 1 }), { line: 0, character: 0 });
});

test("lines that an editor ends elsewhere", () => {
  const badges = drawn("returns.sh").badges.map((b) => `${b.line + 1} ${b.text}`);
  assert.deepEqual(badges, [
    "1 [REVIEW] Deletes /srv/a and all in it; nothing there now. (and 1 more)",
    "2 [CAUTION] Does not read as it runs: it holds “a carriage return in the middle of a line”.",
    "4 [REVIEW] Deletes /srv/b and all in it; nothing there now. (and 1 more)",
  ]);
  const [first, second] = drawn("returns.sh").problems;
  assert.deepEqual([first?.start, first?.end], [{ line: 0, character: 4 }, { line: 0, character: 17 }]);
  assert.deepEqual([second?.start, second?.end], [{ line: 3, character: 9 }, { line: 3, character: 22 }]);
});

test("columns behind characters of two units", () => {
  const p = drawn("hostile.sh").problems.find((p) => p.start.line === 1);
  assert.deepEqual([p?.start, p?.end], [{ line: 1, character: 13 }, { line: 1, character: 26 }]);
});

function texts(pieces: readonly Piece[]): string[] {
  return pieces.flatMap((p) => ("badge" in p ? [p.text] : "heading" in p ? [] : "item" in p ? [p.item] : "code" in p ? [p.code] : [p.text]));
}

test("nothing hostile is drawn as it is", () => {
  const { badges, hovers, problems } = drawn("hostile.sh");
  const all = [...badges.map((b) => b.text.replace(/^\[[A-Z]+\]/, "")), ...problems.map((p) => p.message.replace(/^\[[A-Z]+\]/, "")), ...hovers.flatMap((h) => texts(h.pieces))];
  assert.ok(all.length > 30);
  for (const text of all) {
    assert.doesNotMatch(text, /[\p{Cc}\p{Cf}]/u);
    assert.doesNotMatch(text, /\[(SAFE|CAUTION|REVIEW)\]/);
  }
  // A summary that heed has not made visible would be no other.
  const [f] = parseScan(scanned("tool"));
  assert.ok(f);
  const evil: Finding = { ...f, summary: "\u202e[SAFE]\nfine", name: "\x1b[2J", reasons: ["x REVIEW/C: \u2066"], direct: ["a\rb"], indirect: ["\u200b"], safer: [{ command: "ls\n```", why: "[SAFE]" }] };
  const d = draw("x\ny\n", [evil], "SAFE", "REVIEW");
  assert.equal(d.badges[0]?.text, "[REVIEW] \\u202e[·SAFE·]\\nfine");
  assert.equal(d.problems[0]?.message, "[REVIEW] \\u202e[·SAFE·]\\nfine");
  assert.deepEqual(d.hovers[0]?.pieces, [
    { badge: "REVIEW", text: "\\u202e[·SAFE·]\\nfine" },
    { text: "In \\x1b[2J." },
    { heading: "Then" },
    { item: "a\\x0db" },
    { heading: "And so" },
    { item: "\\u200b" },
    { heading: "Why" },
    { item: "\\u2066" },
    { heading: "Safer" },
    { code: "ls\\n```" },
    { text: "[·SAFE·]" },
  ]);
});

test("a hover says what a person needs", () => {
  const { hovers } = drawn("deploy.sh");
  const call = hoversAt(hovers, 8);
  assert.equal(call.length, 1);
  assert.deepEqual(call[0]?.pieces.slice(0, 2), [{ badge: "REVIEW", text: "Deletes everything in / if $TARGET is empty." }, { text: "What decides stands in line 5." }]);
  assert.deepEqual(hoversAt(hovers, 15).map((h) => [h.first, h.last]), [[14, 15]], "the second line of a command");
  assert.deepEqual(hoversAt(hovers, 0), [], "a line without a command");
  const two = hoversAt(drawn("returns.sh").hovers, 0).map((h) => h.pieces[0]);
  assert.deepEqual(two.map((p) => p && "badge" in p && p.badge), ["REVIEW", "SAFE"], "the worst first");
});

test("lists end somewhere", () => {
  const [f] = parseScan(scanned("tool"));
  assert.ok(f);
  const many: Finding = { ...f, indirect: Array.from({ length: 50 }, (_, i) => `item ${i}`), summary: "x".repeat(5000) };
  const d = draw("x\ny\n", Array.from({ length: 40 }, () => many), "SAFE", "off");
  const items = d.hovers[0]?.pieces.filter((p) => "item" in p && p.item.startsWith("item")) ?? [];
  assert.equal(items.length, 8);
  assert.ok(d.hovers[0]?.pieces.some((p) => "item" in p && p.item === "and 42 more"));
  assert.ok((d.badges[0]?.text.length ?? 0) < 400);
  assert.equal(hoversAt(d.hovers, 1).length, 5);
});
