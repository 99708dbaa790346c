import type { CodeRow } from "../codes.ts";

/** Codes of the command line. */
export const CLI_CODES = {
  CLI_USAGE: { title: "The command line is not understood", hint: "run the command with --help" },
} as const satisfies Record<string, CodeRow>;
