import { EngineError } from "../../../core/codes/problems.ts";
import { readChangedBy } from "../../effects/app/note-change.ts";
import { readApp } from "../../read-plan.ts";
import type { MethodDeps } from "../deps.ts";

/**
 * Throws `TASK_ROLLBACK_OVERTAKEN` for a rollback that is no newest change of its app any more: it would take back what
 * came since.
 */
export function refuseOvertaken({ store }: Pick<MethodDeps, "store">, taskId: string): void {
  const row = store.task(taskId);
  if (row?.kind !== "rollback" || !row.facts.commands.includes("retry")) return;
  const { appId, root } = row;
  const changedBy = readChangedBy(store, appId);
  const began = readApp(store, root, appId).rollback?.changedBy ?? null;
  if (changedBy === began || changedBy?.startsWith(`${taskId}:`)) return;
  const message = `"${appId}" was changed by another task since the rollback "${taskId}" was asked for`;
  throw new EngineError("TASK_ROLLBACK_OVERTAKEN", message, { taskId, appId });
}
