/** Reads a stored plan back: parsed, since a database outlives the build that wrote it. */
import { EngineError } from "../core/codes/problems.ts";
import type { JsonObject } from "../core/json/json.ts";
import { readTextParam } from "./effects/app/params.ts";
import type { Store } from "./ports/store.ts";
import { type RollbackPlan, type StoredApp, type StoredHook, type StoredPlan, toHookKey } from "./stored-plan.ts";
import { StoredPlanSchema } from "./stored-plan-schema.ts";

/**
 * The plan of a task's tree. Throws `TASK_QUARANTINED` where there is none, or one this build can't work from: an effect that
 * is told so quarantines its task.
 */
export function readPlan(store: Pick<Store, "plan">, rootId: string): StoredPlan {
  const parsed = StoredPlanSchema.safeParse(store.plan(rootId));
  if (parsed.success) return parsed.data;
  const [first] = parsed.error.issues;
  const place = first === undefined || first.path.length === 0 ? "" : ` at "${first.path.join(".")}"`;
  throw createUnfitError(rootId, `has no plan this build can read${place}`);
}

/** The plan's part about one app. */
export function readApp(store: Pick<Store, "plan">, rootId: string, appId: string): StoredApp {
  const app = readPlan(store, rootId).apps[appId];
  if (app === undefined) throw createUnfitError(rootId, `has a plan that does not know the app "${appId}"`);
  return app;
}

/** What the app named in an effect's parameters is rolled back to. */
export function readRollback(store: Pick<Store, "plan">, rootId: string, params: JsonObject): RollbackPlan {
  const { rollback } = readApp(store, rootId, readTextParam(params, "appId"));
  if (rollback === undefined) throw createUnfitError(rootId, "has a plan that rolls nothing back");
  return rollback;
}

/** The plan's part about one hook. */
export function readHook(store: Pick<Store, "plan">, rootId: string, appId: string, hookId: string): StoredHook {
  const hook = readPlan(store, rootId).hooks[toHookKey(appId, hookId)];
  if (hook === undefined) throw createUnfitError(rootId, `has a plan that does not know the hook "${hookId}"`);
  return hook;
}

function createUnfitError(rootId: string, why: string): EngineError<"TASK_QUARANTINED"> {
  return new EngineError("TASK_QUARANTINED", `task "${rootId}" ${why}`, { taskId: rootId });
}
