import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import test, { type TestContext } from "node:test";
import { fake, WebviewView, type Editor } from "./fake-vscode";
import { start } from "../src/extension";
import type { Shown } from "../src/messages";
import type * as vscode from "vscode";
import { program, sample, temporary, testdata, top, until } from "./data";

/** A machine: a heed that prints what was recorded, and says what it was asked. */
class Machine {
  readonly dir: string;
  readonly heed: string;

  constructor(private readonly t: TestContext) {
    fake.reset();
    this.dir = temporary(t);
    this.heed = path.join(this.dir, "bin", "heed");
    fs.mkdirSync(path.join(this.dir, "work"));
    this.pending("");
  }

  /** What heed answers to scan: a script of sh, with the text as its input. */
  scan(script: string): this {
    program(path.dirname(this.heed), `d='${this.dir}'\n[ "$1" = pending ] || echo "$*" >>"$d/asked"\ncase $1 in\nscan) cat >"$d/text"; ${script} ;;\npending) cat "$d/pending" ;;\nesac\n`);
    return this;
  }

  /** heed answers with what was recorded for a file. */
  recorded(name: string): this {
    return this.scan(`cat '${path.join(testdata, "scan", name + ".jsonl")}'`);
  }

  pending(text: string): void {
    fs.writeFileSync(path.join(this.dir, "pending"), text);
  }

  start(set: Record<string, unknown> = { path: this.heed }): this {
    Object.assign(fake.user, { debounce: 30, ...set });
    const running = start(fake.Uri.file(top) as unknown as vscode.Uri, { timeout: 5000, poll: 20 });
    this.t.after(() => running.dispose());
    return this;
  }

  open(name: string, language: string, text = fs.readFileSync(sample(name), "utf8")): Editor {
    const file = path.join(this.dir, "work", name);
    fs.writeFileSync(file, text);
    return fake.open(fake.Uri.file(file), language, text);
  }

  /** The runs of heed, but for looks at what waits. */
  asked(): string[] {
    const file = path.join(this.dir, "asked");
    return fs.existsSync(file) ? fs.readFileSync(file, "utf8").trim().split("\n") : [];
  }

  text(): string {
    return fs.readFileSync(path.join(this.dir, "text"), "utf8");
  }
}

test("a script gets its badges, problems and hovers", async (t) => {
  const m = new Machine(t).recorded("deploy.sh").start();
  const editor = m.open("deploy.sh", "shellscript");
  await until("badges", () => editor.badges().length > 0);
  assert.deepEqual(editor.badges().slice(3, 6), ["7 heed.safe [SAFE]", "8 heed.caution [CAUTION] Creates ./out.", "9 heed.review [REVIEW] Deletes everything in / if $TARGET is empty."]);
  const file = editor.document.uri.fsPath;
  assert.deepEqual(m.asked(), [`scan --json --kind shell --name ${file} -`]);
  assert.equal(m.text(), fs.readFileSync(file, "utf8"));
  const problems = fake.problems.get(file) ?? [];
  assert.deepEqual(problems.map((p) => [p.severity, p.source, p.message.slice(0, 8)]), Array(3).fill([1, "heed", "[REVIEW]"]));
  const hover = fake.hover?.provideHover(editor.document, new fake.Position(8, 3));
  assert.equal(hover?.contents[0]?.parts[0]?.[1], "**\\[REVIEW\\]** ");
  assert.equal(fake.hover?.provideHover(editor.document, new fake.Position(0, 0)), undefined);
  assert.equal(fake.bar.text, "heed: 3 REVIEW");
  assert.ok(fake.bar.shown);
});

test("nothing of a hostile script is Markdown", async (t) => {
  const m = new Machine(t).recorded("hostile.sh").start();
  const editor = m.open("hostile.sh", "shellscript");
  await until("badges", () => editor.badges().length > 0);
  let texts = "";
  for (let line = 0; line < editor.document.lineCount; line++) {
    for (const c of fake.hover?.provideHover(editor.document, new fake.Position(line, 0))?.contents ?? []) {
      assert.deepEqual([c.isTrusted, c.supportHtml], [false, false]);
      for (const [how, text] of c.parts) {
        if (how === "markdown") assert.match(text, /^(\*\*\\\[(SAFE|CAUTION|REVIEW)\\\]\*\* |\n\n|\n\n\*\*[A-Z][a-z ]+\*\*\n\n|- |\n)$/);
        else texts += text;
        assert.doesNotMatch(how === "markdown" ? "" : text, /[\p{Cc}\p{Cf}]/u);
      }
    }
  }
  assert.ok(texts.includes("**bold** [x](command:heed.install)") && texts.includes("<img src=x"), texts);
});

test("other files are left alone", async (t) => {
  const m = new Machine(t).recorded("deploy.sh").start();
  const other = m.open("a.ts", "typescript", "rm -rf /\n");
  const remote = fake.open(fake.Uri.of("git", "/x/deploy.sh"), "shellscript", "ls\n");
  const one = m.open("deploy.sh", "shellscript");
  await until("badges", () => one.badges().length > 0);
  assert.equal(m.asked().length, 1);
  assert.deepEqual([other.badges(), remote.badges()], [[], []]);
});

test("typing takes the badges away, and is judged when it rests, before it is saved", async (t) => {
  const m = new Machine(t).recorded("deploy.sh").start();
  const editor = m.open("deploy.sh", "shellscript");
  await until("badges", () => editor.badges().length > 0);
  const { document } = editor;
  for (const text of ["r", "rm", "rm -rf /"]) document.type(text + document.getText().slice(text.length));
  assert.deepEqual(editor.badges(), [], "at once");
  assert.equal(fake.hover?.provideHover(document as never, new fake.Position(8, 3)), undefined);
  assert.equal(fake.problems.get(document.uri.fsPath)?.length, 3, "a warning is no reassurance");
  await until("badges again", () => editor.badges().length > 0);
  assert.equal(m.asked().length, 2);
  assert.equal(m.text(), document.getText(), "the text, not the file");
  assert.ok(m.text().startsWith("rm -rf /"));
});

test("a change ends the run for what the text was", async (t) => {
  const m = new Machine(t).scan(`case $(cat "$d/text") in slow) echo $$ >"$d/pid"; exec sleep 600 ;; esac; cat '${path.join(testdata, "scan", "tool.jsonl")}'`).start();
  const editor = m.open("a.sh", "shellscript", "slow");
  const pid = path.join(m.dir, "pid");
  await until("the first run", () => fs.existsSync(pid) && fs.readFileSync(pid, "utf8").trim() !== "");
  editor.document.type("quick\nquick\n");
  await until("badges", () => editor.badges().length > 0);
  assert.deepEqual(editor.badges(), ["2 heed.review [REVIEW] Deletes everything in . if $1 is empty."]);
  await until("it is gone", () => !fs.existsSync(`/proc/${fs.readFileSync(pid, "utf8").trim()}/stat`) || process.platform !== "linux");
});

test("a saved file is judged as it lies on the disk", async (t) => {
  const m = new Machine(t).recorded("returns.sh").start();
  const raw = fs.readFileSync(sample("returns.sh"), "utf8");
  const editor = m.open("returns.sh", "shellscript", raw);
  await until("badges", () => editor.badges().length > 0);
  assert.equal(m.text(), raw, "with its ends of lines and its mark");
  assert.deepEqual(editor.badges().map((b) => b.slice(0, 8)), ["1 heed.r", "2 heed.c", "4 heed.r"]);
});

test("without heed the status bar says so, and how to install it; it is found when it comes", async (t) => {
  const m = new Machine(t);
  fake.folders = [{ uri: fake.Uri.file(path.join(m.dir, "work")) }];
  m.start();
  const editor = m.open("deploy.sh", "shellscript");
  await until("the status", () => fake.bar.text === "$(warning) heed: not found");
  assert.match(fake.bar.tooltip, /heed\.path is .*: there is no program[^]*go install github\.com\/heedsh\/heed\/cmd\/heed@latest/);
  assert.equal(fake.bar.command, "heed.install");
  assert.equal(fake.bar.backgroundColor?.id, "statusBarItem.warningBackground");
  assert.deepEqual(editor.badges(), []);
  assert.deepEqual(fake.logged.length, 1, "said once");

  fake.press = "Copy the line";
  await fake.commands.get("heed.install")?.();
  assert.equal(fake.clipboard, "go install github.com/heedsh/heed/cmd/heed@latest");
  fake.press = "Set heed.path";
  await fake.commands.get("heed.install")?.();
  assert.deepEqual(fake.executed.at(-1), ["workbench.action.openSettings", "heed.path"]);

  await new Promise((resolve) => setTimeout(resolve, 100)); // the file was judged as well, in vain
  m.recorded("deploy.sh");
  await until("badges", () => editor.badges().length > 0);
  await until("the status", () => fake.bar.text === "heed: 3 REVIEW");
});

test("an answer that is not understood takes away what was there, and is told", async (t) => {
  const m = new Machine(t).recorded("deploy.sh").start();
  const editor = m.open("deploy.sh", "shellscript");
  await until("badges", () => editor.badges().length > 0);
  m.scan("echo '[SAFE] all is well'");
  await fake.commands.get("heed.scan")?.();
  await until("the status", () => fake.bar.text === "$(warning) heed: no answer");
  assert.match(fake.bar.tooltip, /heed scan, line 1: it is no JSON/);
  assert.deepEqual(editor.badges(), []);
  assert.deepEqual(fake.problems.get(editor.document.uri.fsPath), []);
  m.scan("echo 'heed: unknown flag: --name' >&2; exit 2");
  await fake.commands.get("heed.scan")?.();
  await until("the other error", () => fake.bar.tooltip.includes("unknown flag: --name"));
});

test("a workspace cannot choose what runs", async (t) => {
  const m = new Machine(t).recorded("deploy.sh");
  const evil = program(path.join(m.dir, "work", "bin"), `touch '${m.dir}/evil'`);
  fake.folders = [{ uri: fake.Uri.file(path.join(m.dir, "work")) }];
  fake.workspace["path"] = evil;
  const PATH = process.env["PATH"];
  t.after(() => (process.env["PATH"] = PATH));
  process.env["PATH"] = `${path.dirname(evil)}:.:${path.dirname(m.heed)}:/usr/bin:/bin`;
  m.start({});
  const editor = m.open("deploy.sh", "shellscript");
  await until("badges", () => editor.badges().length > 0);
  assert.ok(!fs.existsSync(path.join(m.dir, "evil")));
  assert.equal(m.asked().length, 1);
});

test("settings", async (t) => {
  const m = new Machine(t).recorded("deploy.sh").start();
  const editor = m.open("deploy.sh", "shellscript");
  const tiers = (): string => [...new Set(editor.badges().map((b) => b.split(" ")[1]))].join(" ");
  await until("all", () => tiers() === "heed.safe heed.caution heed.review");
  fake.set("minimumTier", "REVIEW");
  await until("REVIEW", () => tiers() === "heed.review");
  fake.set("diagnostics", "CAUTION");
  await until("more problems", () => fake.problems.get(editor.document.uri.fsPath)?.length === 5);
  fake.set("diagnostics", "off");
  await until("no problems", () => fake.problems.get(editor.document.uri.fsPath)?.length === 0);
  fake.set("minimumTier", "nonsense");
  await until("all again", () => tiers() === "heed.safe heed.caution heed.review");
  fake.set("enable", false);
  await until("none", () => editor.badges().length === 0);
  const n = m.asked().length;
  editor.document.type("ls\n");
  await new Promise((resolve) => setTimeout(resolve, 100));
  assert.equal(m.asked().length, n, "heed is not asked");
});

test("a closed file leaves nothing behind", async (t) => {
  const m = new Machine(t).recorded("deploy.sh").start();
  const editor = m.open("deploy.sh", "shellscript");
  await until("problems", () => (fake.problems.get(editor.document.uri.fsPath)?.length ?? 0) > 0);
  fake.editors = [];
  fake.events.closed.fire(editor.document);
  assert.equal(fake.problems.size, 0);
  assert.equal(fake.bar.text, "heed");
});

function panel(): { view: WebviewView; last: () => Shown } {
  const view = new WebviewView();
  fake.provider?.resolveWebviewView(view);
  view.webview.say({ type: "ready" });
  return { view, last: () => view.webview.received.at(-1) as Shown };
}

const requests = fs.readFileSync(path.join(testdata, "pending.jsonl"), "utf8");

test("the panel shows what waits, and the status bar says it", async (t) => {
  const m = new Machine(t).scan("").start();
  const { view, last } = panel();
  assert.deepEqual(view.webview.options.localResourceRoots?.map((u) => path.relative(top, u.fsPath)), ["out/src", "media"]);
  const nonces = [...view.webview.html.matchAll(/nonce="([^"]+)"/g)].map((x) => x[1]);
  assert.equal(nonces.length, 1);
  assert.ok(view.webview.html.includes(`script-src 'nonce-${nonces[0]}'; style-src https://source.example;`));
  await until("nothing waits", () => last().note === "Nothing waits for you.");
  const before = view.webview.received.length;
  m.pending(requests);
  await until("three wait", () => last().rows.length === 3);
  assert.equal(fake.bar.text, "$(bell) heed: 3 wait for you");
  assert.equal(view.badge?.value, 3);
  await new Promise((resolve) => setTimeout(resolve, 100));
  assert.equal(view.webview.received.length, before + 1, "what is the same is not drawn again");
  const again = panel();
  assert.notEqual(again.view.webview.html, view.webview.html, "a nonce is used once");
  assert.equal(again.last().rows.length, 3);
  m.pending("");
  await until("none waits", () => again.last().rows.length === 0);
  assert.equal(again.view.badge, undefined);
  again.view.close();
  m.pending("garbage\n");
  await until("the status", () => fake.bar.text === "$(warning) heed: no answer");
});

test("nobody looks while the window has no focus", async (t) => {
  const m = new Machine(t).scan("").start();
  const { last } = panel();
  await until("a look", () => last().note === "Nothing waits for you.");
  fake.focused = false;
  await new Promise((resolve) => setTimeout(resolve, 100)); // what runs is over
  m.pending(requests);
  await new Promise((resolve) => setTimeout(resolve, 100));
  assert.equal(last().rows.length, 0);
  fake.focused = true;
  await until("a look", () => last().rows.length === 3);
});

test("an answer is only handed to a person, never given", async (t) => {
  const m = new Machine(t).scan("");
  m.pending(requests);
  m.start();
  const { view, last } = panel();
  await until("three wait", () => last().rows.length === 3);
  const { digest, name } = last().rows[0] ?? assert.fail();

  view.webview.say({ type: "approve", digest });
  await until("the question", () => fake.asked.length === 1);
  const asked = fake.asked[0];
  assert.deepEqual(asked?.choices, ["Copy, and open a terminal outside", "Copy"]);
  assert.ok(asked?.detail.startsWith(`${m.heed} approve ${name}\n`), asked?.detail);
  assert.match(asked?.detail ?? "", /outside of VS Code/);
  assert.deepEqual([fake.clipboard, fake.executed], ["", []], "pressing Esc does nothing");

  fake.press = "Copy, and open a terminal outside";
  view.webview.say({ type: "approve", digest });
  await until("the terminal", () => fake.executed.length === 1);
  assert.equal(fake.clipboard, `${m.heed} approve ${name}`);
  assert.deepEqual(fake.executed, [["workbench.action.terminal.openNativeConsole"]]);

  fake.press = "Copy";
  view.webview.say({ type: "deny", digest });
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal(fake.asked.length, 2, "no reason was given: Esc");
  fake.typed = "use a branch; it's safer";
  view.webview.say({ type: "deny", digest });
  await until("the question", () => fake.asked.length === 3);
  await until("the line", () => fake.clipboard.includes("deny"));
  assert.equal(fake.clipboard, `${m.heed} deny ${name} --reason 'use a branch; it'\\''s safer'`);

  // heed was never run with approve or deny.
  assert.deepEqual(m.asked(), []);
  assert.equal(last().rows.length, 3);
});

test("a page that lies gets nothing", async (t) => {
  const m = new Machine(t).scan("");
  m.pending(requests);
  m.start();
  const { view, last } = panel();
  await until("three wait", () => last().rows.length === 3);
  fake.press = "Copy";
  for (const message of [{ type: "approve", digest: "0".repeat(64) }, { type: "approve", digest: "$(reboot)" }, { type: "exec", command: "x" }, null]) view.webview.say(message);
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.deepEqual([fake.asked, fake.clipboard, fake.executed], [[], "", []]);
});

test("on another machine the terminal has to be there", async (t) => {
  const m = new Machine(t).scan("");
  m.pending(requests);
  fake.remoteName = "ssh-remote";
  m.start();
  const { view, last } = panel();
  await until("three wait", () => last().rows.length === 3);
  view.webview.say({ type: "approve", digest: last().rows[0]?.digest });
  await until("the question", () => fake.asked.length === 1);
  assert.deepEqual(fake.asked[0]?.choices, ["Copy"]);
  assert.match(fake.asked[0]?.detail ?? "", /a terminal of your own on /);
});

test("the end leaves nothing running", async (t) => {
  const m = new Machine(t).scan("exec sleep 600");
  fake.user = { path: m.heed };
  const heard = (): number => Object.values(fake.events).reduce((n, e) => n + e.heard, 0);
  const before = heard();
  const running = start(fake.Uri.file(top) as unknown as vscode.Uri, { timeout: 60_000, poll: 20 });
  m.open("deploy.sh", "shellscript");
  await until("the run", () => m.asked().length === 1);
  assert.ok(heard() > before);
  running.dispose();
  assert.equal(heard(), before);
  assert.deepEqual([fake.bar.shown, fake.commands.size, fake.provider, fake.hover], [false, 0, undefined, undefined]);
});
