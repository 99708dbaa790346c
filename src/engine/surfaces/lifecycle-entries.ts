/** What can be done with an installed app as a whole, and why not now. */
import type { LifecycleEntry } from "../api.ts";
import type { HostApp } from "../ports/host-records.ts";
import type { Store } from "../ports/store.ts";
import { findChange, findLifecycle } from "../runtime/claims.ts";
import { hasRestorePoints } from "../vault/restore-points.ts";

/** Of an app that is up or on its way, and of one that is down or on its way: no other state makes a start or stop needless. */
const UP: readonly string[] = ["RUNNING", "DEPLOYING"];
const DOWN: readonly string[] = ["STOPPED", "STOPPING"];

/** Lists what its state leaves to do, each as a button; a restart of a stopped app is its start. */
export function listLifecycles(
  store: Pick<Store, "holder" | "task" | "setting">,
  { appId, state }: Pick<HostApp, "appId" | "state">,
  isHostAway: boolean,
): readonly LifecycleEntry[] {
  const refusal = findRefusal(store, appId, isHostAway);
  const offered: readonly LifecycleEntry["lifecycle"][] = [
    ...(UP.includes(state) ? [] : (["start"] as const)),
    ...(DOWN.includes(state) ? [] : (["stop", "restart"] as const)),
    ...(hasRestorePoints(store, appId) ? (["rollback"] as const) : []),
    "uninstall",
  ];
  return offered.map((lifecycle) =>
    refusal === null ? { lifecycle, state: "enabled" } : { lifecycle, state: "disabled", ...refusal },
  );
}

/** What keeps everybody from all of it: a task that is at work on the app, or a host that does not answer. */
function findRefusal(
  store: Pick<Store, "holder" | "task">,
  appId: string,
  isHostAway: boolean,
): Pick<LifecycleEntry, "reason" | "taskId"> | null {
  const taskId = findLifecycle(store, appId);
  if (taskId !== null) return { reason: describeWork(store, taskId), taskId };
  return isHostAway ? { reason: "the storage host does not answer" } : null;
}

/** Why no action of an app can be run now; null where nobody changes the app. */
export function explainBusy(store: Pick<Store, "holder" | "task">, appId: string): string | null {
  const taskId = findChange(store, appId);
  return taskId === null ? null : describeWork(store, taskId);
}

function describeWork(store: Pick<Store, "task">, taskId: string): string {
  const facts = store.task(taskId)?.facts;
  return `"${facts?.title ?? facts?.label ?? taskId}" is under way`;
}
