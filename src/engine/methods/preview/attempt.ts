/** Rejections of what is prepared and not started, as problems of a preview. */
import { explain } from "../../../core/codes/codes.ts";
import { EngineError, type Failure, type Problem } from "../../../core/codes/problems.ts";
import { createRequestProblem } from "../request/request.ts";

/** Returns a way to prepare something: what it is refused for is added to `problems`, and the answer is null. */
export function attemptAll(
  problems: Problem[],
): <Prepared>(prepare: () => Promise<Prepared>) => Promise<Prepared | null> {
  return async (prepare) => {
    try {
      return await prepare();
    } catch (error) {
      problems.push(...listRefusals(error));
      return null;
    }
  };
}

/** The problems, each once, their words masked. */
export function distinctProblems(problems: readonly Problem[], mask: (text: string) => string): readonly Problem[] {
  const found = new Map(
    problems.map((problem) => [
      JSON.stringify([problem.code, problem.path, problem.message]),
      { ...problem, message: mask(problem.message) },
    ]),
  );
  return [...found.values()];
}

/** A rejection as problems: each it carries, and itself where none of them has its code. A bug is thrown on. */
function listRefusals(error: unknown): readonly Problem[] {
  if (!(error instanceof EngineError)) throw error;
  const details: Readonly<Record<string, unknown>> = error.details;
  const { problems, faults } = details;
  const carried = [
    ...(isListOf<Problem>(problems) ? problems.filter(({ severity }) => severity === "error") : []),
    ...(isListOf<Failure>(faults) ? faults.map(toHintedProblem) : []),
  ];
  if (carried.some(({ code }) => code === error.code)) return carried;
  return [toHintedProblem(error), ...carried];
}

/** It has no place to correct, so that it says what to do. */
function toHintedProblem({ code, message }: Pick<Failure, "code" | "message">): Problem {
  return { ...createRequestProblem(code, message, []), hint: explain(code).hint };
}

/** A list in the details of an error of ours, which says what it holds by its code. */
function isListOf<Item>(value: unknown): value is readonly Item[] {
  return Array.isArray(value);
}
