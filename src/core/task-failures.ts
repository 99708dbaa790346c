import type { Failure } from "./problems.ts";

/** The engine stopped `lives` times in a row while the task's effects ran (facts/state-and-durability.md, "Crash loops"). */
export function crashLoop(lives: number): Failure {
  return {
    code: "TASK_CRASH_LOOP",
    message: `the engine stopped ${lives} times in a row while this ran`,
    context: [],
    retryable: true,
  };
}

/** The database was rolled back behind what was done outside. */
export function effectUnknown(effect: string): Failure {
  return {
    code: "TASK_EFFECT_UNKNOWN",
    message: `the database is older than what was done, nobody knows what became of "${effect}"`,
    context: [],
    retryable: true,
  };
}

/** A hook's running time is used up; `timeoutMs` is what it had, in ms. */
export function hookTimeout(timeoutMs: number): Failure {
  return {
    code: "TASK_HOOK_TIMEOUT",
    message: `the hook did not end within ${timeoutMs / 1000} s of running time`,
    context: [],
    retryable: true,
  };
}
