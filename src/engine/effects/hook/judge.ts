import { listUnmetConditions } from "../../../core/hooks/conditions.ts";
import type { Hook } from "../../../core/script/dictionary.ts";
import { createConditionFailure } from "../../../core/task/task-failures.ts";
import { readHook } from "../../read-plan.ts";
import type { EffectHandler, EffectRun } from "../../runtime/effect.ts";
import { readTextParam } from "../app/params.ts";
import type { EffectDeps } from "../deps.ts";
import { retryWhileUnreachable } from "../retry.ts";

/**
 * `hook.judge {hookId}` -> `conditions.met`, or `conditions.unmet {failure}` with every reason: the conditions of the
 * frozen plan against the host as it is now. A host that can't be asked is asked until it answers.
 */
export function judgeEffect(deps: EffectDeps): EffectHandler {
  return {
    class: "read",
    async perform(params, run) {
      const { conditions } = plannedHook(deps, run, readTextParam(params, "hookId"));
      const reasons = listUnmetConditions(conditions, await appStates(deps, run));
      if (reasons.length === 0) return { type: "conditions.met" };
      return { type: "conditions.unmet", failure: createConditionFailure(reasons) };
    },
  };
}

/** A hook of the task's app as it was frozen with the plan. */
export function plannedHook({ store }: Pick<EffectDeps, "store">, run: EffectRun, hookId: string): Hook {
  const task = store.task(run.taskId);
  if (task === null) throw new Error(`task "${run.taskId}" is not stored`);
  return readHook(store, run.rootId, task.appId, hookId).hook;
}

/** The state of every installed app by its id. */
export async function appStates(
  deps: EffectDeps,
  run: EffectRun,
): Promise<Readonly<Record<string, { state: string }>>> {
  const apps = await retryWhileUnreachable(deps, run, () => deps.host.apps());
  return Object.fromEntries(apps.map(({ appId, state }) => [appId, { state }]));
}
