/** The warnings about an app's values as they stand beside what else the host has against a request. */
import { explain } from "../../core/codes/codes.ts";
import type { Problem } from "../../core/codes/problems.ts";
import type { HostAdvice } from "../api.ts";

/** The warnings with what to do; `file` is that of the script. */
export function toValueAdvice(problems: readonly Problem[], file: string): readonly HostAdvice[] {
  return listWarnings(problems).map((problem) => {
    const { code, hint = explain(code).hint } = problem;
    return { code, message: nameSpot(problem, file) + problem.message, hint };
  });
}

/** The warnings as marks of a task. */
export function toValueMarks(problems: readonly Problem[], file: string): readonly string[] {
  return listWarnings(problems).map((problem) => `advice: ${nameSpot(problem, file)}${problem.message}`);
}

/** What the host refuses or changes, without the notes. */
export function listWarnings(problems: readonly Problem[]): readonly Problem[] {
  return problems.filter(({ severity }) => severity === "warning");
}

function nameSpot({ line, column, length, file: other }: Problem, file: string): string {
  return length === 0 ? "" : `${other ?? file}:${line}:${column}: `;
}
