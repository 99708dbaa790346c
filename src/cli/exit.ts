import type { Code } from "../core/codes.ts";
import type { EngineError } from "../core/problems.ts";

/** Exit codes of every command (design.md, "Public surface"). */
export const EXIT = { done: 0, failed: 1, usage: 2, waiting: 3 } as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Areas whose errors mean that the command line is wrong or that something it needs can't be reached. */
const USAGE_OR_IO: ReadonlySet<string> = new Set(["CLI", "STORE", "CATALOG", "HTTP", "HOST"]);

/** Codes outside of those areas for ids on the command line that name nothing. */
const NAMES_NOTHING: ReadonlySet<Code> = new Set([
  "TASK_UNKNOWN",
  "TASK_APP_UNKNOWN",
  "TASK_HOOK_UNKNOWN",
  "ACTION_UNKNOWN",
]);

/** Codes of those areas that tell of something examined and refused. */
const REFUSES: ReadonlySet<Code> = new Set(["HOST_UPGRADE_NONE"]);

/**
 * Exit code of a command that ends with an error: 1 where what was asked for was examined and refused (the error says
 * what is wrong with the script, the answers, the host or the task), else 2.
 */
export function exitCodeOfError({ code, details }: EngineError): ExitCode {
  const area = code.slice(0, code.indexOf("_"));
  if (area === "CLI") return EXIT.usage;
  if ("problems" in details || "faults" in details || REFUSES.has(code)) return EXIT.failed;
  return USAGE_OR_IO.has(area) || NAMES_NOTHING.has(code) ? EXIT.usage : EXIT.failed;
}
