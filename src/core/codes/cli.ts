import type { CodeText } from "./row.ts";

/** Codes of the command line. */
export const CLI_CODES = {
  CLI_USAGE: { title: "The command line is not understood", hint: "run the command with --help" },
  CLI_FILE_UNREADABLE: {
    title: "A file named on the command line can't be read",
    hint: "check the path and its rights",
  },
  CLI_FILE_INVALID: {
    title: "A file named on the command line has not the expected content",
    hint: "correct the file at the place shown",
  },
  CLI_API_FAILED: {
    title: "The running service did not answer as expected",
    hint: "check the address given with --api and that the service runs",
  },
  CLI_INTERRUPTED: {
    title: "The command was interrupted before the task came to rest",
    hint: "run the command for the task again: it goes on where it was",
  },
  CLI_CODE_UNKNOWN: {
    title: "The code to explain is not in the registry",
    hint: "copy the code from a problem or an error, e.g. HOOK_RERUN_MISSING",
  },
} as const satisfies Record<string, CodeText>;
