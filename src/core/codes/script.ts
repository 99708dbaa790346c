import type { CodeRow } from "../codes.ts";

/** Codes of an install script's structure and rules. */
export const SCRIPT_CODES = {
  SCRIPT_JSON_SYNTAX: { title: "The file is not valid JSON", hint: "correct the syntax at the place shown" },
} as const satisfies Record<string, CodeRow>;
