// What the status bar says. Silence would look like SAFE: where heed gives no answer, it
// is said.

import type { Drawn } from "./badges";
import type { HeedError } from "./heed";

/** The state of the extension, as the status bar tells it. */
export interface State {
  /** Why the last question had no answer; undefined where it had one. */
  error: HeedError | undefined;
  /** How many requests wait for a person. */
  waiting: number;
  /** What is drawn in the editor that has the focus, if it holds commands. */
  drawn: Drawn | undefined;
}

/** What the status bar shows. */
export interface Status {
  text: string;
  tooltip: string;
  warns: boolean;
  command: "heed.install" | "heed.scan" | "heed.showPending";
}

/** How heed is installed. */
export const installLine = "go install github.com/heedsh/heed/cmd/heed@latest";

export const installText = `heed was not found: nothing is judged here. With Go, install it by\n\n    ${installLine}\n\nand see that it is on PATH, or set heed.path to its absolute path.`;

/** Says how things are, the most important first. */
export function status(s: State): Status {
  if (s.error?.trouble === "missing") {
    return { text: "$(warning) heed: not found", tooltip: `${s.error.message}. ${installText}`, warns: true, command: "heed.install" };
  }
  if (s.error) return { text: "$(warning) heed: no answer", tooltip: `No badges: ${s.error.message}.`, warns: true, command: "heed.scan" };
  if (s.waiting > 0) {
    const text = s.waiting === 1 ? "1 waits for you" : `${s.waiting} wait for you`;
    return { text: `$(bell) heed: ${text}`, tooltip: "Commands that were not run, because a person has to agree.", warns: true, command: "heed.showPending" };
  }
  const review = s.drawn?.badges.filter((b) => b.tier === "REVIEW").length ?? 0;
  const text = review > 0 ? `heed: ${review} REVIEW` : "heed";
  return { text, tooltip: review > 0 ? "Commands of this file to read every word of." : "Nothing waits for you.", warns: false, command: "heed.showPending" };
}
