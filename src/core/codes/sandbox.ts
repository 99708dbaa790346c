import type { CodeRow } from "../codes.ts";

/** Codes of compiling and running hook and widget scripts. */
export const SANDBOX_CODES = {
  SANDBOX_UNAVAILABLE: {
    title: "A mandatory layer of the sandbox is missing on this machine",
    hint: "see the health report for the missing layer",
  },
} as const satisfies Record<string, CodeRow>;
