/**
 * Rolls upgrades back by itself where they were asked for so, as they fail. One that had failed before the engine was
 * started is left to a person: its app may have been put right since, and holds what was written meanwhile.
 */
import { EngineError } from "../../core/codes/problems.ts";
import { isFinal } from "../../core/task-states.ts";
import { createOwnDeed } from "../audit/deed.ts";
import type { MethodDeps } from "../methods/deps.ts";
import { rollBack } from "../methods/rollback/roll-back.ts";
import { readPlan } from "../read-plan.ts";

/** Goes on with the upgrades that were under way when the engine was started; with none of an older copy. */
export function followUpgrades(deps: MethodDeps): void {
  const { store } = deps;
  if (store.opened.rolledBack) return;
  for (const { id, kind, facts } of store.unfinished())
    if (kind === "upgrade" && facts.state !== "FAILED") void followUpgrade(deps, id);
}

/** Rolls an upgrade back each time it fails, until it is final or the engine closes. Never rejects. */
export async function followUpgrade(deps: MethodDeps, taskId: string): Promise<void> {
  const { runtime, store, logger } = deps;
  try {
    const row = store.task(taskId);
    if (row === null || readPlan(store, row.root).apps[row.appId]?.rollbackOnFailure !== true) return;
    const changes = runtime.watch(store.lastSeq());
    await rollBackFailed(deps, taskId);
    for await (const { taskId: changed, task } of changes) {
      if (changed !== taskId) continue;
      if (isFinal(task.state)) return;
      if (task.state === "FAILED") await rollBackFailed(deps, taskId);
    }
  } catch (error) {
    logger.error({ error, task: taskId }, "an upgrade is not rolled back by itself any more");
  }
}

async function rollBackFailed(deps: MethodDeps, taskId: string): Promise<void> {
  const row = deps.store.task(taskId);
  if (row === null || !row.facts.commands.includes("rollback")) return;
  try {
    await rollBack({ ...deps, deed: createOwnDeed("rollback") }, row.appId, { snapshot: taskId });
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    // A person can still press it.
    deps.logger.warn({ task: taskId, code: error.code, reason: error.message }, "a failed upgrade was not rolled back");
  }
}
