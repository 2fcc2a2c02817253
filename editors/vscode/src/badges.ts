// From findings to what an editor draws: badges, hovers, problems. It knows no editor.

import type { Finding, Place } from "./heed";
import { tiers, type Tier } from "./tiers";
import { cut, visible } from "./visible";

/** A position as editors count: both from 0, characters in UTF-16 units. */
export interface Position {
  line: number;
  character: number;
}

/** A badge after a line. */
export interface Badge {
  line: number;
  tier: Tier;
  text: string;
}

/** A piece of what a hover says. A code is a command, drawn as one. */
export type Piece = { badge: Tier; text: string } | { heading: string } | { item: string } | { code: string } | { text: string };

/** What is said of the lines from first to last. */
export interface Hover {
  first: number;
  last: number;
  pieces: Piece[];
}

/** An entry of the list of problems. */
export interface Problem {
  start: Position;
  end: Position;
  tier: Tier;
  message: string;
}

/** Which tiers are listed as problems. */
export type Listed = "off" | "CAUTION" | "REVIEW";

/** All that is drawn for a text. */
export interface Drawn {
  badges: Badge[];
  hovers: Hover[];
  problems: Problem[];
}

const maxText = 300;
const maxItems = 8;
const maxHovers = 5;

/** What is drawn for a text and its findings. */
export function draw(text: string, findings: readonly Finding[], least: Tier, listed: Listed): Drawn {
  const at = places(text);
  const shown = findings.filter((f) => rank(f.tier) >= rank(least));
  return {
    badges: badges(shown, at),
    hovers: shown.map((f) => ({ first: at({ line: f.start.line, column: 1 }).line, last: at({ line: f.endLine, column: Infinity }).line, pieces: pieces(f) })),
    problems: listed === "off" ? [] : findings.filter((f) => rank(f.tier) >= rank(listed)).map((f) => problem(f, at)),
  };
}

function rank(tier: Tier): number {
  return tiers.indexOf(tier);
}

/**
 * Where a place of heed's lies for an editor. heed ends lines at \n only and counts
 * characters; editors also end them at a lone \r, count UTF-16 units, and do not show the
 * mark of byte order.
 */
export function places(text: string): (place: Place) => Position {
  const starts = [0];
  for (let i = text.indexOf("\n"); i >= 0; i = text.indexOf("\n", i + 1)) starts.push(i + 1);
  const shown: number[] = [0];
  for (const m of text.matchAll(/\r\n|\r|\n/g)) shown.push(m.index + m[0].length);
  return ({ line, column }) => {
    const start = starts[line - 1] ?? text.length;
    const end = (starts[line] ?? text.length + 1) - 1;
    let offset = start;
    for (let n = 1; n < column && offset < end; n++) offset += (text.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1;
    if (column === Infinity && text[offset - 1] === "\r") offset--;
    const i = lastAtMost(shown, offset);
    const character = offset - (shown[i] ?? 0);
    return { line: i, character: i === 0 && text.startsWith("\ufeff") ? Math.max(0, character - 1) : character };
  };
}

// The index of the last number that is not above n; the first never is.
function lastAtMost(sorted: readonly number[], n: number): number {
  let low = 0;
  let high = sorted.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((sorted[middle] ?? 0) <= n) low = middle;
    else high = middle - 1;
  }
  return low;
}

// Where the badge of a command stands: where that stands which decided, if it is a line of
// this command. In a function that is called, it is none.
function badgePlace(f: Finding): Place {
  return f.decided.line >= f.start.line && f.decided.line <= f.endLine ? f.decided : f.start;
}

function badges(findings: readonly Finding[], at: (place: Place) => Position): Badge[] {
  const lines = new Map<number, Finding[]>();
  for (const f of findings) {
    const { line } = at(badgePlace(f));
    lines.set(line, [...(lines.get(line) ?? []), f]);
  }
  return [...lines].sort(([a], [b]) => a - b).map(([line, here]) => badge(line, here));
}

// The worst of a line is its badge. What is SAFE needs no sentence.
function badge(line: number, here: readonly Finding[]): Badge {
  const worst = here.reduce((a, b) => (rank(b.tier) > rank(a.tier) ? b : a));
  const said = new Set(here.map((f) => f.summary)).size;
  const more = said > 1 ? ` (and ${said - 1} more)` : "";
  const sentence = worst.tier === "SAFE" ? "" : " " + cut(visible(worst.summary), maxText);
  return { line, tier: worst.tier, text: `[${worst.tier}]${sentence}${more}` };
}

function pieces(f: Finding): Piece[] {
  const out: Piece[] = [{ badge: f.tier, text: show(f.summary) }];
  if (f.name !== "") out.push({ text: "In " + show(f.name) + "." });
  if (badgePlace(f) !== f.decided) out.push({ text: `What decides stands in line ${f.decided.line}.` });
  const said = (text: string): boolean => text !== f.summary;
  const list = (heading: string, items: readonly string[]): void => {
    const all = [...new Set(items)];
    if (all.length === 0) return;
    out.push({ heading });
    for (const item of all.slice(0, maxItems)) out.push({ item: show(item) });
    if (all.length > maxItems) out.push({ item: `and ${all.length - maxItems} more` });
  };
  list("Then", f.direct.filter(said));
  list("And so", f.indirect);
  list("Why", f.tier === "SAFE" ? [] : f.reasons.map(why));
  if (f.safer.length > 0) {
    out.push({ heading: "Safer" });
    for (const s of f.safer.slice(0, maxItems)) out.push({ code: show(s.command) }, { text: show(s.why) });
  }
  return out;
}

// A reason without the words that rules go by: "fs.delete REVIEW/C: it deletes a root directory".
function why(reason: string): string {
  const at = reason.indexOf(": ");
  return at < 0 ? reason : reason.slice(at + 2);
}

function show(text: string): string {
  return cut(visible(text), maxText);
}

// All of the command; of one whose badge stands further down, what decides there.
function problem(f: Finding, at: (place: Place) => Position): Problem {
  const below = badgePlace(f);
  const [start, last] = below.line === f.start.line ? [f.start, f.endLine] : [below, below.line];
  return { start: at(start), end: at({ line: last, column: Infinity }), tier: f.tier, message: `[${f.tier}] ${show(f.summary)}` };
}

/** What is said of a line, the worst first. */
export function hoversAt(hovers: readonly Hover[], line: number): Hover[] {
  const worst = (h: Hover): number => Math.max(...h.pieces.map((p) => ("badge" in p ? rank(p.badge) : -1)));
  return hovers
    .filter((h) => h.first <= line && line <= h.last)
    .sort((a, b) => worst(b) - worst(a))
    .slice(0, maxHovers);
}
