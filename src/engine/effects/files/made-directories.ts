import { LIFECYCLES } from "../../../core/task/task-facts.ts";
import type { Store } from "../../ports/store.ts";

/** What tasks of the app have made and none has removed since: what was there before is not the app's own. */
export function listMade(store: Pick<Store, "runs" | "task">, appId: string): ReadonlySet<string> {
  const lifecycles: ReadonlySet<string> = new Set(LIFECYCLES);
  const made = new Set<string>();
  for (const { kind, taskId } of store.runs(appId).toReversed()) {
    const result = lifecycles.has(kind) ? store.task(taskId)?.facts.result : undefined;
    if (result === undefined) continue;
    if ("removed" in result) for (const path of result.removed) made.delete(path);
    if ("directories" in result) for (const path of result.directories ?? []) made.add(path);
  }
  return made;
}
