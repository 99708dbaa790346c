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
  CLI_FILE_UNWRITABLE: {
    title: "A file named on the command line can't be written",
    hint: "name a file that does not exist yet, in a folder you may write to",
  },
  CLI_LOCAL_ROOT_INVALID: {
    title: "The directory given with --local-root does not hold the host's files",
    hint: "name the directory that holds the host's mnt: with --local-root /host the host's /mnt/tank is /host/mnt/tank here",
    see: 'docs/real-host.md, "Where the engine runs"',
  },
  CLI_SYSTEM_ERROR: {
    title: "The operating system refused what a command needs",
    hint: "give this user the right, room or limit the message names; temporary files go to the folder in TMPDIR",
  },
  CLI_RECORDING_TOO_LARGE: {
    title: "What the app answered is more than a fake may hold",
    hint: "let the script ask for less, e.g. for one page of a list, or write the rows by hand",
    see: 'docs/checking.md, "From a real app"',
    exit: "failed",
  },
  CLI_JOURNAL_INVALID: {
    title: "The file to replay is not a whole journal of a hook's run",
    hint: "take the file as run-hook --journal wrote it, to the last byte",
    see: 'docs/hooks.md, "Replaying a run at a desk"',
  },
  CLI_JOURNAL_FOREIGN: {
    title: "The journal to replay was written by another script or entrypoint",
    hint: "name the script as it was when the journal was written, and the entrypoint that ran",
    see: 'docs/hooks.md, "Replaying a run at a desk"',
  },
  CLI_REPLAY_DIVERGED: {
    title: "Played back, the script did something else than its journal says",
    hint: "look at the call named: it depends on what no journal holds, e.g. on a secret; or replay it with the Slipway and Node that wrote it",
    see: 'docs/hooks.md, "Replaying a run at a desk"',
    exit: "failed",
  },
  CLI_API_FAILED: {
    title: "The running service did not answer as expected",
    hint: "check the address given with --api and that the service runs",
  },
  CLI_SERVICE_UNPROVEN: {
    title: "The service does not prove that it owns the database, so it gets no token",
    hint: "name the service's database with --db, or its catalog with --catalog, or reach the service by https; another process may have taken its port",
  },
  CLI_INTERRUPTED: {
    title: "The command was interrupted before its work was done",
    hint: "run the command again: a task goes on where it was, everything else begins anew",
  },
  CLI_CODE_UNKNOWN: {
    title: "The code to explain is not in the registry",
    hint: "copy the code from a problem or an error, e.g. HOOK_RERUN_MISSING",
  },
} as const satisfies Record<string, CodeText>;
