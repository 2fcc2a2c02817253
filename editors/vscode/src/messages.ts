// What the extension and the page of its panel say to each other.

import type { Tier } from "./tiers";

/** A request as the panel draws it. All texts may be shown as they are. */
export interface Row {
  digest: string;
  /** The digest as people read it. */
  name: string;
  tier: Tier;
  sentence: string;
  command: string;
  /** Who asks, where, since when. */
  facts: [name: string, value: string][];
  lists: { heading: string; items: string[] }[];
  safer: { command: string; why: string }[];
  /** What a yes takes. */
  takes: string;
  /** No yes lets it run. */
  final: boolean;
}

/** What the page is to show. */
export interface Shown {
  type: "shown";
  rows: Row[];
  /** How many there are, what cannot be shown, or why nothing is known. */
  note: string;
}

/** What a person pressed, or that the page is there. */
export type Pressed = { type: "ready" } | { type: "approve" | "deny"; digest: string };
