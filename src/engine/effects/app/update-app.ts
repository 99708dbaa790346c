import type { JsonObject } from "../../../core/json/json.ts";
import { holdsSent, mergeValues } from "../../../core/plan/values/merge-values.ts";
import { readApp } from "../../read-plan.ts";
import type { EffectHandler, EffectRun, MachineEvent } from "../../runtime/effect.ts";
import type { StoredApp } from "../../stored-plan.ts";
import type { EffectDeps } from "../deps.ts";
import { confirmDirectories } from "../files/confirm-directories.ts";
import { retryWhileUnreachable } from "../retry.ts";
import { attributeToQuestions } from "./attribute-failure.ts";
import { keepChoices } from "./create-app.ts";
import { type JobEnd, type JobWork, performJob, reconcileJob, reportWork } from "./host-job.ts";
import { toSlot } from "./job-slot.ts";
import { readTextParam } from "./params.ts";

/** `host.app.update {appId}` -> `host.done` or `host.failed`. */
export function updateAppEffect(deps: EffectDeps): EffectHandler {
  const { store } = deps;

  function end(app: StoredApp, result: JobEnd): MachineEvent {
    if (!result.ok)
      return { type: "host.failed", failure: attributeToQuestions(app, result.failure), ...reportWork(result) };
    keepChoices(deps, app);
    return { type: "host.done" };
  }

  return {
    class: "mutate",
    async perform(params, run) {
      const app = readApp(store, run.rootId, readTextParam(params, "appId"));
      return end(app, await performJob(deps, toSlot(run), await planUpdateWork(deps, app, run)));
    },
    async reconcile(params, run) {
      const app = readApp(store, run.rootId, readTextParam(params, "appId"));
      return reconcileJob(deps, toSlot(run), planUpdateWork(deps, app, run), (result) => end(app, result));
    },
  };
}

/** The job that gives an app the values of its plan, merged into what the host has now. */
export async function planUpdateWork(deps: EffectDeps, app: StoredApp, run: EffectRun): Promise<JobWork> {
  const { host } = deps;
  // Waits while the apps service starts up: until then the host knows no configuration.
  await retryWhileUnreachable(deps, run, () => host.app(app.instance));
  const live = await retryWhileUnreachable(deps, run, () => host.appConfig(app.instance));
  const values: JsonObject = mergeValues(app.appValues, live);
  const kept = mergeValues(app.keptValues ?? app.appValues, live);
  return {
    call: { method: "updateApp", name: app.instance, values },
    ready: () => confirmDirectories(deps, app),
    happened: async () => holdsSent(await host.appConfig(app.instance), values, kept),
  };
}
