import type { Failure } from "../codes/problems.ts";

/** Whether a failed attempt's work on the app is done all the same, is not, or nobody can tell. */
export type WorkDone = boolean | "unknown";

/** Whether the app a task works on is as it was before, as far as the task knows. */
export type AppKnown = "untouched" | "changed" | "unknown";

/** After a failed attempt; without `work` nothing could have changed the app. */
export function updateAppKnown(work: WorkDone | undefined, before: AppKnown): AppKnown {
  if (work === undefined) return before;
  if (work === "unknown") return "unknown";
  return work ? "changed" : "untouched";
}

/** The engine stopped `crashes` times in a row while the task's effects ran (docs/architecture.md). */
export function createCrashLoopFailure(crashes: number): Failure {
  return {
    code: "TASK_CRASH_LOOP",
    message: `the engine stopped ${crashes} times in a row while this ran`,
    context: [],
    retryable: true,
  };
}

/** The database was rolled back behind what was done outside. */
export function createEffectUnknownFailure(effect: string): Failure {
  return {
    code: "TASK_EFFECT_UNKNOWN",
    message: `the database is older than what was done, nobody knows what became of "${effect}"`,
    context: [],
    retryable: true,
  };
}

/** The code of an app that did not come up. */
export const NOT_RUNNING = "TASK_APP_NOT_RUNNING";

/** A started app crashed, or took too long; `state` is the one the host told last. */
export function createNotRunningFailure(state: string | null): Failure {
  return {
    code: NOT_RUNNING,
    message: `the app did not come up, it is ${state ?? "unknown"}`,
    context: [],
    retryable: true,
  };
}

/** An app took too long to stop; `state` is the one the host told last. */
export function createNotStoppedFailure(state: string | null): Failure {
  return {
    code: "TASK_APP_NOT_STOPPED",
    message: `the app did not come to a stop, it is ${state ?? "unknown"}`,
    context: [],
    retryable: true,
  };
}

/** A hook's running time is used up; `timeoutMs` is what it had, in ms. */
export function createHookTimeoutFailure(timeoutMs: number): Failure {
  return {
    code: "TASK_HOOK_TIMEOUT",
    message: `the hook did not end within ${timeoutMs / 1000} s of running time`,
    context: [],
    retryable: true,
  };
}

/** A script that was played back did something else than it had done; `difference` says what, and at which call. */
export function createReplayDivergedFailure(difference: string): Failure {
  return {
    code: "TASK_REPLAY_DIVERGED",
    message: `played back after a restart, the script went another way: ${difference}`,
    context: [],
    retryable: true,
  };
}

/**
 * The failure of a link whose conditions did not come within `deadlineMs` of its turn, for these reasons
 * (docs/install-scripts.md, "The plan of links"); none is known where the host never answered.
 */
export function linkNotStarted(reasons: readonly string[], deadlineMs: number): Failure {
  const why = reasons.length === 0 ? "the host did not say how its apps are" : reasons.join(", ");
  return {
    code: "TASK_LINK_NOT_STARTED",
    message: `${why}; waited ${deadlineMs / 1000} s`,
    context: [],
    retryable: true,
  };
}

/** An app a link works on is not there, and no other task brings it. */
export function linkMissing(reasons: readonly string[]): Failure {
  return { code: "TASK_LINK_NOT_STARTED", message: reasons.join(", "), context: [], retryable: true };
}

/** A hook's conditions do not hold now that its turn has come (docs/install-scripts.md, "Conditions"). */
export function createConditionFailure(reasons: readonly string[]): Failure {
  return { code: "TASK_CONDITION_NOT_MET", message: reasons.join(", "), context: [], retryable: false };
}
