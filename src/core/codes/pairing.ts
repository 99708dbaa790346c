import type { CodeRow } from "../codes.ts";

/** Codes of pairings, links and actions. */
export const PAIRING_CODES = {
  PAIRING_LINK_UNKNOWN: {
    title: "The link names a hook that yields no pairing",
    hint: "choose one of the pairings listed for the app",
  },
} as const satisfies Record<string, CodeRow>;
