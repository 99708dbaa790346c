import type { JsonObject } from "../../core/json.ts";
import type { EffectHandler, EffectRun, MachineEvent } from "../effect.ts";
import { readApp, type StoredApp } from "../stored-plan.ts";
import { type JobEnd, type JobWork, performJob, reconcileJob, slotOf } from "./host-job.ts";
import { textParam } from "./params.ts";
import type { EffectScene } from "./scene.ts";
import { blameValues } from "./value-faults.ts";

/** `host.app.create {appId}` -> `host.app.created` or `host.app.failed`. */
export function createAppEffect(scene: EffectScene): EffectHandler {
  const { host, store } = scene;

  function workOf(app: StoredApp): JobWork {
    return {
      call: {
        method: "app.create",
        name: app.instance,
        catalogApp: app.catalogApp,
        train: app.train,
        ...(app.version !== undefined && { version: app.version }),
        values: app.appValues,
      },
      happened: async () => (await host.app(app.instance)) !== null,
    };
  }

  function end(app: StoredApp, result: JobEnd): MachineEvent {
    if (!result.ok) return { type: "host.app.failed", failure: blameValues(app, result.failure) };
    keepChoices(scene, app);
    return { type: "host.app.created" };
  }

  return {
    class: "create",
    async perform(params: JsonObject, run: EffectRun) {
      const app = readApp(store, run.rootId, textParam(params, "appId"));
      return end(app, await performJob(scene, slotOf(run), workOf(app)));
    },
    async reconcile(params, run) {
      const app = readApp(store, run.rootId, textParam(params, "appId"));
      return reconcileJob(scene, slotOf(run), workOf(app), (result) => end(app, result));
    },
  };
}

/** What a later update or reinstall starts from: answers, generated strings, the script's version (decisions.md 2.7). */
export function keepChoices({ store }: Pick<EffectScene, "store">, app: StoredApp): void {
  store.keepSettings(app.appId, {
    answers: app.answers,
    randoms: app.randoms,
    scriptVersion: app.scriptVersion,
  });
}
