import type { Failure } from "../codes/problems.ts";

/** Whether a failed attempt's work on the app is done all the same, is not, or nobody can tell. */
export type WorkDone = boolean | "unknown";

/** What a task knows of the app it works on. */
export type AppKnown = "untouched" | "changed" | "unknown";

/** What it knows after a failed attempt, from what it knew before; without `work` nothing could have changed the app. */
export function appAfter(work: WorkDone | undefined, before: AppKnown): AppKnown {
  if (work === undefined) return before;
  if (work === "unknown") return "unknown";
  return work ? "changed" : "untouched";
}

/** The engine stopped `lives` times in a row while the task's effects ran (docs/architecture.md). */
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

/** The apps of a link did not run within `deadlineMs` of its turn (docs/install-scripts.md, "The plan of links"). */
export function linkNotStarted(apps: readonly string[], deadlineMs: number): Failure {
  return {
    code: "TASK_LINK_NOT_STARTED",
    message: `${quoted(apps)} did not run within ${deadlineMs / 1000} s`,
    context: [],
    retryable: true,
  };
}

/** An app of a link is not there. */
export function linkMissing(apps: readonly string[]): Failure {
  return { code: "TASK_LINK_NOT_STARTED", message: `${quoted(apps)} is not installed`, context: [], retryable: true };
}

function quoted(apps: readonly string[]): string {
  return apps.map((app) => `"${app}"`).join(", ");
}
