// What a person reads must be what is there. Text of commands and files is hostile: it
// may hold characters that are not seen, or that turn the writing around.

// Control, format, private and unassigned characters, all spaces but the plain one,
// variation selectors, and fillers that are drawn as nothing: the list of heed's own
// internal/explain.
const hidden = /[\p{C}\p{Zl}\p{Zp}\p{Variation_Selector}\u115f\u1160\u3164\uffa0\u2800\u034f]|(?! )\p{Zs}/gu;

/** Shows each character of a foreign text, and lets none of its words pass for a badge. */
export function visible(text: string): string {
  return text.replace(hidden, escape).replace(/\[(?=SAFE|CAUTION|REVIEW)/gi, "[·").replace(/(?<=SAFE|CAUTION|REVIEW)\]/gi, "·]");
}

function escape(character: string): string {
  if (character === "\n") return "\\n";
  if (character === "\t") return "\\t";
  const code = character.codePointAt(0) ?? 0;
  return code < 0x20 || code === 0x7f ? "\\x" + code.toString(16).padStart(2, "0") : "\\u" + code.toString(16).padStart(4, "0");
}

/** Cuts a text to n characters, in the middle, where its beginning and end still show. */
export function cut(text: string, n: number): string {
  const all = Array.from(text);
  if (all.length <= n) return text;
  const head = Math.floor((n - 1) / 2);
  return all.slice(0, head).join("") + "…" + all.slice(all.length - (n - 1 - head)).join("");
}
