import type { Hook } from "../script/dictionary.ts";
import type { TaskState } from "../task-states.ts";

/**
 * Writes the aim of a run as one comparable text: the selected paths, normalised, sorted and each once; null without
 * any (docs/decisions.md, section 3, "One unfinished run per app + hook + target").
 */
export function toTargetKey(paths: readonly string[]): string | null {
  return paths.length === 0 ? null : JSON.stringify([...new Set(paths)].sort());
}

/** Why a hook with `rerun: refuse` does not run again. */
export const RERUN_REFUSED = "it has been done and must not run twice";

/** One earlier run of the same hook, as far as `rerun` looks at it. */
export interface EarlierRun {
  readonly target: string | null;
  readonly state: TaskState;
}

/**
 * Whether `rerun` blocks another run: `refuse` does while a completed run of the same hook and target exists; failed and
 * dismissed runs never do (docs/install-scripts.md, "Fields that go together").
 */
export function isRerunBlocked(hook: Hook, target: string | null, runs: readonly EarlierRun[]): boolean {
  return hook.rerun === "refuse" && runs.some((run) => run.target === target && run.state === "COMPLETED");
}
