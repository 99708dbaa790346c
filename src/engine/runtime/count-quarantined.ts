import { isFinal } from "../../core/task-states.ts";
import type { Store } from "../ports/store.ts";
import type { TaskRow } from "../ports/store-rows.ts";

/**
 * How many tasks people see are held up by rows that can't be run: a checkpoint counts as its hook's task, and for
 * nothing once that has ended. Several rows of one task count once.
 */
export function countQuarantined(read: Pick<Store, "task">, rows: readonly TaskRow[]): number {
  const shown = rows.flatMap((row) => {
    if (row.kind !== "checkpoint") return [row.id];
    const hook = row.parent === null ? null : read.task(row.parent);
    return hook === null || isFinal(hook.facts.state) ? [] : [hook.id];
  });
  return new Set(shown).size;
}
