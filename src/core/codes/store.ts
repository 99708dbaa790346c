import type { CodeRow } from "../codes.ts";

/** Codes of the database file. */
export const STORE_CODES = {
  STORE_LOCKED: { title: "Another process owns the database", hint: "stop the process named, or use its API" },
} as const satisfies Record<string, CodeRow>;
