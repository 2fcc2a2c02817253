// The requests that wait for a person, and what a person runs to answer one. The answer
// itself is heed's, at a terminal: nothing here can give it.

import { type Fields, HeedError, lines, safer, type Run, type Safer } from "./heed";
import type { Pressed, Row, Shown } from "./messages";
import { tiers, type Tier } from "./tiers";
import { cut, visible } from "./visible";

/** A command that was not run, because a person has to agree. */
export interface Request {
  digest: string;
  made: Date;
  /** What is known of it; undefined where this extension cannot read it. */
  shown: Consent | undefined;
}

/** What a person is shown before a command is let run: docs/consent.schema.json. */
export interface Consent {
  tier: Tier;
  explanation: string;
  why: string[];
  command: string;
  dir: string;
  asks: string;
  direct: string[];
  indirect: string[];
  irreversible: string[];
  safer: Safer[];
  final: boolean;
  by: "none" | "click" | "word" | "pin";
  what: string;
}

const format = "heed-consent/1";
const digestForm = /^[0-9a-f]{64}$/;

/** The run that lists what waits. */
export function pendingRun(program: string, cwd: string, timeout: number): Run {
  return { program, args: ["pending", "--json"], cwd, timeout };
}

/** Reads what heed pending --json prints: the worst first, and of these the youngest. */
export function parsePending(text: string): Request[] {
  const rank = (r: Request): number => (r.shown ? tiers.indexOf(r.shown.tier) : tiers.length);
  return lines(text, "heed pending")
    .filter((f) => f.text("state") === "pending")
    .map(request)
    .sort((a, b) => rank(b) - rank(a) || b.made.getTime() - a.made.getTime());
}

function request(f: Fields): Request {
  const digest = f.text("digest");
  const made = new Date(f.text("made"));
  if (!digestForm.test(digest)) throw f.wrong("digest");
  if (Number.isNaN(made.getTime())) throw f.wrong("made");
  return { digest, made, shown: consent(f) };
}

// One request that cannot be read keeps nobody from seeing the others.
function consent(f: Fields): Consent | undefined {
  try {
    const c = f.object("shown");
    if (c.text("format") !== format) return undefined;
    const consequences = c.object("consequences");
    const confirm = c.object("confirm");
    return {
      tier: c.word("tier", tiers),
      explanation: c.text("explanation"),
      why: c.texts("why"),
      command: c.text("command"),
      dir: c.text("dir", ""),
      asks: c.text("asks"),
      direct: consequences.texts("direct"),
      indirect: consequences.texts("indirect"),
      irreversible: c.texts("irreversible"),
      safer: c.objects("safer").map(safer),
      final: c.flag("final"),
      by: confirm.word("by", ["none", "click", "word", "pin"]),
      what: confirm.text("what", ""),
    };
  } catch (e) {
    if (e instanceof HeedError) return undefined;
    throw e;
  }
}

/** A digest as people read it, and as heed approve takes it: its beginning. */
export function nameOf(digest: string): string {
  return [digest.slice(0, 4), digest.slice(4, 8), digest.slice(8, 12)].join("-");
}

const maxText = 300;

/** A request as the panel draws it. */
export function row(r: Request): Row {
  const name = nameOf(r.digest);
  const since: [string, string] = ["since", r.made.toLocaleString()];
  if (!r.shown) {
    const sentence = "This extension cannot show this request: heed watch shows it, at a terminal.";
    return { digest: r.digest, name, tier: "REVIEW", sentence, command: "", facts: [since], lists: [], safer: [], takes: "", final: true };
  }
  const c = r.shown;
  const said = (text: string): boolean => text !== c.explanation;
  const lists = [
    { heading: "Then", items: c.direct.filter(said) },
    { heading: "And so", items: c.indirect },
    { heading: "Lost", items: c.irreversible },
    { heading: "Why", items: c.why },
  ];
  return {
    digest: r.digest,
    name,
    tier: c.tier,
    sentence: show(c.explanation),
    command: visible(c.command),
    facts: [["asks", show(c.asks)], ["in", show(c.dir)], since],
    lists: lists.filter((l) => l.items.length > 0).map((l) => ({ heading: l.heading, items: l.items.map(show) })),
    safer: c.safer.map((s) => ({ command: show(s.command), why: show(s.why) })),
    takes: takes(c),
    final: c.final,
  };
}

function show(text: string): string {
  return cut(visible(text), maxText);
}

function takes(c: Consent): string {
  if (c.final) return "No yes lets it run.";
  switch (c.by) {
    case "pin":
      return "A yes takes your PIN.";
    case "word":
      return `A yes takes the word that it turns on${c.what === "" ? "" : `, a ${show(c.what)}`}, or your PIN if you have one.`;
    default:
      return "A yes takes a plain yes.";
  }
}

/** What the panel shows of what waits, with what heed had to remark. */
export function shown(requests: readonly Request[], remark: string): Shown {
  const n = requests.length;
  const count = n === 0 ? "Nothing waits for you." : n === 1 ? "One command waits for you." : `${n} commands wait for you, the worst first.`;
  return { type: "shown", rows: requests.map(row), note: [count, show(remark.trim())].join(" ").trim() };
}

/** What the panel shows where heed has not answered. */
export function notKnown(e: HeedError): Shown {
  return { type: "shown", rows: [], note: `What waits is not known: ${e.message}.` };
}

/** Reads what the page of the panel says. Anything else is nothing. */
export function pressed(message: unknown): Pressed | undefined {
  if (typeof message !== "object" || message === null || !("type" in message)) return undefined;
  if (message.type === "ready") return { type: "ready" };
  if ((message.type === "approve" || message.type === "deny") && "digest" in message && typeof message.digest === "string" && digestForm.test(message.digest)) {
    return { type: message.type, digest: message.digest };
  }
  return undefined;
}

/** How a person calls heed in a terminal of this platform. */
export interface Caller {
  /** "" where it is found by its name. */
  program: string;
  platform: NodeJS.Platform;
}

/** The line that a person runs to agree to a request. heed then shows it and asks. */
export function approveLine(c: Caller, digest: string): string {
  return `${called(c)} approve ${nameOf(digest)}`;
}

/** The line that a person runs to refuse a request. The reason is one word to the shell. */
export function denyLine(c: Caller, digest: string, reason: string): string {
  const text = reason.replace(/[\p{C}\p{Z}]+/gu, " ").trim();
  return `${called(c)} deny ${nameOf(digest)}` + (text === "" ? "" : " --reason " + quote(text, c.platform));
}

function called(c: Caller): string {
  if (c.program === "") return "heed";
  const quoted = /^[\w./-]+$/.test(c.program) ? c.program : quote(c.program, c.platform);
  return c.platform === "win32" ? "& " + quoted : quoted;
}

// On Windows for PowerShell.
function quote(text: string, platform: NodeJS.Platform): string {
  return platform === "win32" ? `'${text.replace(/['\u2018\u2019\u201a\u201b]/g, "$&$&")}'` : `'${text.replaceAll("'", "'\\''")}'`;
}
