import type { CodeRow } from "../codes.ts";

/** Codes of an install script's structure and rules. */
export const SCRIPT_CODES = {
  SCRIPT_JSON_SYNTAX: { title: "The file is not valid JSON", hint: "correct the syntax at the place shown" },
  SCRIPT_TOO_DEEP: { title: "The JSON is nested too deeply", hint: "flatten the value to at most 200 levels" },
} as const satisfies Record<string, CodeRow>;
