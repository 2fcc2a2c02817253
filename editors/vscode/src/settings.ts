// What a person has set, and where heed is.

import * as vscode from "vscode";
import type { Listed } from "./badges";
import { locate } from "./heed";
import { tiers, type Tier } from "./tiers";

/** How long things take, in milliseconds. */
export interface Limits {
  /** Until heed has to have answered. */
  timeout: number;
  /** Between two looks at what waits. */
  poll: number;
}

/** The settings for a file. */
export interface Settings {
  enable: boolean;
  least: Tier;
  listed: Listed;
  debounce: number;
}

/** Reads the settings for a file. A word that is none of them shows everything. */
export function settings(uri: vscode.Uri): Settings {
  const c = vscode.workspace.getConfiguration("heed", uri);
  const listed = c.get<unknown>("diagnostics");
  const debounce = c.get<unknown>("debounce");
  return {
    enable: c.get<unknown>("enable") !== false,
    least: tiers.find((t) => t === c.get<unknown>("minimumTier")) ?? "SAFE",
    listed: listed === "off" || listed === "CAUTION" ? listed : "REVIEW",
    debounce: typeof debounce === "number" && debounce >= 0 ? Math.min(debounce, 10_000) : 300,
  };
}

/** The path that this person, and no workspace, has set; "" if none is. */
export function configuredPath(): string {
  const set = vscode.workspace.getConfiguration("heed").inspect<unknown>("path")?.globalValue;
  return typeof set === "string" ? set : "";
}

/** Finds heed, or fails with a HeedError. */
export function program(): string {
  const avoid = (vscode.workspace.workspaceFolders ?? []).map((f) => f.uri.fsPath);
  return locate({ configured: configuredPath(), env: process.env, platform: process.platform, avoid });
}
