import { explain } from "../../core/codes/codes.ts";
import type { EngineError } from "../../core/codes/problems.ts";

/** Exit codes of every command. */
export const EXIT = { done: 0, failed: 1, usage: 2, waiting: 3 } as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/**
 * Exit code of a command that ends with an error: by the row of its code, unless the error carries what was found in
 * something examined, which has failed whatever the code.
 */
export function findErrorExitCode({ code, details }: EngineError): ExitCode {
  const isExamined = !code.startsWith("CLI_") && ("problems" in details || "faults" in details);
  return isExamined ? EXIT.failed : EXIT[explain(code).exit];
}
