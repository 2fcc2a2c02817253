/** From what needs no reading to what needs every word read. */
export const tiers = ["SAFE", "CAUTION", "REVIEW"] as const;

/** How hard a person should read a command. */
export type Tier = (typeof tiers)[number];
