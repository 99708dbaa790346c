/** Who is at work on an app or a hook: not a part of a plan that rests FAILED, whose turn never came. */
import type { Store } from "../ports/store.ts";
import type { RunRow } from "../ports/store-rows.ts";
import { keepRunsSinceInstalled } from "./installations.ts";

/** The claim every lifecycle of an app holds: one writer per app (docs/decisions.md, section 3). */
export function toAppClaim(appId: string): string {
  return `app:${appId}`;
}

/** Id of the lifecycle that is at work on an app; null where none is. */
export function findLifecycle(store: Pick<Store, "holder" | "task">, appId: string): string | null {
  const taskId = store.holder(toAppClaim(appId));
  return taskId === null || isAbandonedChild(store, taskId) ? null : taskId;
}

/** The same without an install: what is left of one once its app is there are hooks, and actions may run beside them. */
export function findChange(store: Pick<Store, "holder" | "task">, appId: string): string | null {
  const taskId = findLifecycle(store, appId);
  return taskId === null || store.task(taskId)?.kind === "install" ? null : taskId;
}

/** A part whose turn never came, of a plan that rests FAILED: nobody is at work there. */
export function isAbandonedChild(store: Pick<Store, "task">, taskId: string): boolean {
  const row = store.task(taskId);
  if (row === null || row.parent === null || row.claim === null) return false;
  return row.facts.state === "PENDING" && store.task(row.parent)?.facts.state === "FAILED";
}

/** Runs of a hook since its app was installed, newest first, without abandoned children: what another run of it is decided from. */
export function listEffectiveRuns(
  store: Pick<Store, "runs" | "task" | "setting">,
  appId: string,
  hookId: string,
): readonly RunRow[] {
  return keepRunsSinceInstalled(store, appId, store.runs(appId, hookId)).filter(
    ({ state, taskId }) => state !== "PENDING" || !isAbandonedChild(store, taskId),
  );
}
