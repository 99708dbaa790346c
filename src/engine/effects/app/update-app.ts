import type { JsonObject } from "../../../core/json/json.ts";
import { holdsValues, mergeValues } from "../../../core/plan/merge-values.ts";
import { readApp } from "../../read-plan.ts";
import type { EffectHandler, EffectRun, MachineEvent } from "../../runtime/effect.ts";
import type { StoredApp } from "../../stored-plan.ts";
import type { EffectDeps } from "../deps.ts";
import { confirmDirectories } from "../files/declared-path.ts";
import { retryWhileUnreachable } from "../retry.ts";
import { attributeToQuestions } from "./attribute-failure.ts";
import { keepChoices } from "./create-app.ts";
import { type JobEnd, type JobWork, performJob, reconcileJob, slotOf, workDone } from "./host-job.ts";
import { textParam } from "./params.ts";

/** `host.app.update {appId}` -> `host.done` or `host.failed`. */
export function updateAppEffect(deps: EffectDeps): EffectHandler {
  const { host, store } = deps;

  async function workOf(app: StoredApp, run: EffectRun): Promise<JobWork> {
    // Waits while the apps service starts up: until then the host knows no configuration.
    await retryWhileUnreachable(deps, run, () => host.app(app.instance));
    const live = await retryWhileUnreachable(deps, run, () => host.appConfig(app.instance));
    const values: JsonObject = mergeValues(app.appValues, live);
    return {
      call: { method: "app.update", name: app.instance, values },
      ready: () => confirmDirectories(host, app),
      happened: async () => holdsValues(await host.appConfig(app.instance), values),
    };
  }

  function end(app: StoredApp, result: JobEnd): MachineEvent {
    if (!result.ok)
      return { type: "host.failed", failure: attributeToQuestions(app, result.failure), ...workDone(result) };
    keepChoices(deps, app);
    return { type: "host.done" };
  }

  return {
    class: "mutate",
    async perform(params, run) {
      const app = readApp(store, run.rootId, textParam(params, "appId"));
      return end(app, await performJob(deps, slotOf(run), await workOf(app, run)));
    },
    async reconcile(params, run) {
      const app = readApp(store, run.rootId, textParam(params, "appId"));
      return reconcileJob(deps, slotOf(run), workOf(app, run), (result) => end(app, result));
    },
  };
}
