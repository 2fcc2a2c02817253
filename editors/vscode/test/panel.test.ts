import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import test from "node:test";
import { JSDOM } from "jsdom";
import type { Pressed, Row, Shown } from "../src/messages";
import { page } from "../src/page";
import { parsePending, shown } from "../src/pending";
import { top, waiting } from "./data";

/** The page as VS Code shows it, with the script that is shipped. */
class Page {
  readonly said: Pressed[] = [];
  readonly dom: JSDOM;

  constructor() {
    const html = page({ source: "https://files.example", script: "https://files.example/panel.js", style: "https://files.example/panel.css", nonce: "abc" });
    this.dom = new JSDOM(html, { runScripts: "outside-only" });
    const window = this.dom.window as unknown as Record<string, unknown>;
    window["acquireVsCodeApi"] = () => ({ postMessage: (m: Pressed) => this.said.push({ ...m }) }); // an object of this realm
    this.dom.window.eval(fs.readFileSync(path.join(top, "out", "src", "panel.js"), "utf8"));
  }

  get document() {
    return this.dom.window.document;
  }

  show(s: Shown): void {
    this.dom.window.dispatchEvent(new this.dom.window.MessageEvent("message", { data: s }));
  }

  all(selector: string) {
    return [...this.document.querySelectorAll(selector)];
  }

  texts(selector: string): string[] {
    return this.all(selector).map((e) => e.textContent ?? "");
  }

  press(selector: string): void {
    const b = this.document.querySelector<HTMLButtonElement>(selector);
    assert.ok(b, selector);
    b.click();
  }
}

function made(change: Partial<Row>): Row {
  return { digest: "a".repeat(64), name: "aaaa-aaaa-aaaa", tier: "REVIEW", sentence: "s", command: "c", facts: [], lists: [], safer: [], takes: "", final: false, ...change };
}

const tell = (...rows: Row[]): Shown => ({ type: "shown", rows, note: "" });

test("the policy of the page lets in one script and one sheet", () => {
  const p = new Page();
  const policy = p.document.querySelector("meta[http-equiv=Content-Security-Policy]")?.getAttribute("content");
  assert.equal(policy, "default-src 'none'; script-src 'nonce-abc'; style-src https://files.example; base-uri 'none'; form-action 'none'");
  assert.deepEqual(p.all("script").map((s) => [s.getAttribute("nonce"), s.getAttribute("src"), s.textContent]), [["abc", "https://files.example/panel.js", ""]]);
  assert.equal(p.all("[style], style, [onclick], [onload]").length, 0);
});

test("nothing that the page is made of can leave its attribute", () => {
  const odd = `"><script>alert(1)</script>&`;
  const { document } = new JSDOM(page({ source: odd, script: odd, style: odd, nonce: odd })).window;
  assert.equal(document.querySelectorAll("script").length, 1);
  assert.equal(document.querySelector("script")?.getAttribute("src"), odd);
});

test("it says that it is there, and shows what waits", () => {
  const p = new Page();
  assert.deepEqual(p.said, [{ type: "ready" }]);
  p.show(shown(parsePending(waiting()), ""));
  assert.deepEqual(p.texts("#note"), ["3 commands wait for you, the worst first."]);
  assert.deepEqual(p.texts(".badge"), ["[REVIEW]", "[REVIEW]", "[CAUTION]"]);
  assert.deepEqual(p.texts("article.caution > pre"), ["npm install left-pad", "npm install left-pad --ignore-scripts"]);
  assert.deepEqual(p.texts("article.caution .takes"), ["A yes takes a plain yes."]);
  assert.ok(p.texts("article.caution dd").includes("codex, on its own idea"));
  p.show(shown([], ""));
  assert.equal(p.all("article").length, 0);
  assert.deepEqual(p.texts("#note"), ["Nothing waits for you."]);
});

test("hostile text is text", () => {
  const hostile = [
    "<img src=x onerror=alert(1)>",
    "<script>alert(1)</script>",
    "</pre></article><iframe src=javascript:alert(1)>",
    "&lt;b&gt; &amp; &#x202e;",
    "${alert(1)} {{7*7}} `x`",
    '" onclick="alert(1)',
    "<style>*{display:none}</style><base href=//evil.example><a href=command:heed.install>x</a>",
  ];
  for (const text of hostile) {
    const p = new Page();
    const before = p.all("*").length;
    p.show(tell(made({ sentence: "s" })));
    const tags = (): string[] => p.all("*").map((e) => e.tagName + [...e.attributes].filter((a) => a.name !== "aria-label").map((a) => ` ${a.name}=${a.value}`).join(""));
    const plain = (): void =>
      p.show(tell(made({ name: "n", facts: [["asks", "x"]], lists: [{ heading: "h", items: ["i"] }], safer: [{ command: "c", why: "w" }], takes: "t" })));
    plain();
    const want = tags();
    assert.ok(want.length > before);
    p.show({
      type: "shown",
      note: text,
      rows: [made({ sentence: text, command: text, name: text, facts: [[text, text]], lists: [{ heading: text, items: [text] }], safer: [{ command: text, why: text }], takes: text })],
    });
    assert.deepEqual(tags(), want, "the same elements, with the same attributes");
    assert.equal(p.texts("#note")[0], text);
    assert.equal(p.texts("article > pre")[0], text);
    assert.equal(p.texts("h2 bdi")[0], text);
    assert.equal(p.texts("li")[0], text);
    assert.equal(p.document.querySelector("button.deny")?.getAttribute("aria-label"), "Deny " + text);
  }
});

test("the recorded hostile request is shown, character by character", () => {
  const p = new Page();
  p.show(shown(parsePending(waiting()), ""));
  const pre = p.texts("article > pre")[0] ?? "";
  assert.ok(pre.includes("<img src=x onerror=alert(1)>") && pre.includes("[·SAFE·] approved") && pre.includes("\\u202etxt.exe") && pre.includes("\\x1b[2J"), pre);
  assert.equal(p.all("img").length, 0);
  assert.doesNotMatch(p.document.body.textContent ?? "", /[\x00-\x08\x0b-\x1f\x7f\p{Cf}]/u);
});

test("a tier that nobody knows is read like REVIEW", () => {
  const p = new Page();
  for (const tier of ["FINE", "constructor", "__proto__", "x evil"]) {
    p.show(tell(made({ tier: tier as Row["tier"] })));
    assert.deepEqual([p.texts(".badge"), p.all("article").map((a) => a.className)], [["[REVIEW]"], ["review"]]);
  }
});

test("buttons name their request, and do no more", () => {
  const p = new Page();
  const [a, b] = [made({}), made({ digest: "b".repeat(64), name: "bbbb-bbbb-bbbb" })];
  p.show(tell(a, b));
  p.press("article:nth-of-type(2) button.approve");
  p.press("article:nth-of-type(1) button.deny");
  assert.deepEqual(p.said.slice(1), [{ type: "approve", digest: b.digest }, { type: "deny", digest: a.digest }]);
  assert.equal(p.all("article").length, 2, "it is heed that takes it off the list");
  assert.ok(p.all("button").every((e) => e.getAttribute("type") === "button"));
});

test("what no yes lets run has no button for one", () => {
  const p = new Page();
  p.show(tell(made({ final: true })));
  assert.deepEqual(p.texts("button"), ["Deny…"]);
});

test("who is about to press a key stays there, and on the same request", () => {
  const p = new Page();
  const [a, b] = [made({}), made({ digest: "b".repeat(64), name: "bbbb-bbbb-bbbb" })];
  p.show(tell(a, b));
  p.document.querySelector<HTMLButtonElement>("article:nth-of-type(2) button.deny")?.focus();
  p.show(tell(made({ digest: "c".repeat(64) }), a, b));
  assert.equal(p.document.activeElement?.getAttribute("aria-label"), "Deny bbbb-bbbb-bbbb");
  p.show(tell(a));
  assert.equal(p.document.activeElement, p.document.body, "no other request takes its place");
});

test("messages that are none change nothing", () => {
  const p = new Page();
  p.show(tell(made({})));
  p.show({ type: "other" } as unknown as Shown);
  assert.equal(p.all("article").length, 1);
});
