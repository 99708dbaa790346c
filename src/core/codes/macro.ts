import type { CodeRow } from "../codes.ts";

/** Codes of macros in directories, app values and question defaults. */
export const MACRO_CODES = {
  MACRO_UNKNOWN: { title: "The macro is not known", hint: "use one of the macros of the specification" },
} as const satisfies Record<string, CodeRow>;
