import type { Code } from "../../core/codes/code.ts";
import { EngineError } from "../../core/codes/problems.ts";
import { readChangedBy } from "../effects/app/note-change.ts";
import type { Store } from "../ports/store.ts";
import type { TaskRow } from "../ports/store-rows.ts";
import { readApp } from "../read-plan.ts";

/** Lifecycles whose plan is of the app as it was when they were asked for: a retry would take back what came since. */
const REFUSALS = {
  rollback: "TASK_ROLLBACK_OVERTAKEN",
  update: "TASK_UPDATE_OVERTAKEN",
} as const satisfies Readonly<Record<string, Code>>;

/**
 * Refuses to retry a task that is no newest change of its app any more: throws `TASK_ROLLBACK_OVERTAKEN` or
 * `TASK_UPDATE_OVERTAKEN`. Of an update that an earlier build began nobody knows what it found.
 */
export function refuseOvertaken(store: Pick<Store, "task" | "plan" | "setting">, taskId: string): void {
  const row = store.task(taskId);
  if (row === null || (row.kind !== "rollback" && row.kind !== "update")) return;
  if (!row.facts.commands.includes("retry")) return;
  const began = readBegan(store, row);
  const changedBy = readChangedBy(store, row.appId);
  if (began === undefined || changedBy === began || changedBy?.startsWith(`${taskId}:`)) return;
  const { appId, kind } = row;
  const message = `"${appId}" was changed by another task since the ${kind} "${taskId}" was asked for`;
  throw new EngineError(REFUSALS[kind], message, { taskId, appId });
}

/** What had changed the app last when the task was asked for; null: nothing of this engine. */
function readBegan(store: Pick<Store, "plan">, { root, appId, kind }: TaskRow): string | null | undefined {
  const { rollback, changedBy } = readApp(store, root, appId);
  return kind === "rollback" ? (rollback?.changedBy ?? null) : changedBy;
}
