import type { EffectHandler, MachineEvent } from "../effect.ts";
import { readApp } from "../stored-plan.ts";
import { type JobWork, performJob, reconcileJob, slotOf } from "./host-job.ts";
import { textParam } from "./params.ts";
import { patiently } from "./patience.ts";
import type { EffectScene } from "./scene.ts";

/**
 * `host.app.start {appId}` -> `host.app.started {wasStopped}` or `host.app.failed`: `app.upgrade` refuses a stopped app
 * (decisions.md 4).
 */
export function startAppEffect(scene: EffectScene): EffectHandler {
  const { host, store } = scene;

  function workOf(instance: string): JobWork {
    return {
      call: { method: "app.start", name: instance },
      happened: async () => !isStopped((await host.app(instance))?.state),
    };
  }

  return {
    class: "mutate",
    async perform(params, run): Promise<MachineEvent> {
      const { instance } = readApp(store, run.rootId, textParam(params, "appId"));
      const app = await patiently(scene, run, () => host.app(instance));
      if (!isStopped(app?.state)) return { type: "host.app.started", wasStopped: false };
      const end = await performJob(scene, slotOf(run), workOf(instance));
      return end.ok
        ? { type: "host.app.started", wasStopped: true }
        : { type: "host.app.failed", failure: end.failure };
    },
    async reconcile(params, run) {
      const { instance } = readApp(store, run.rootId, textParam(params, "appId"));
      return reconcileJob(scene, slotOf(run), workOf(instance), (end) =>
        end.ok ? { type: "host.app.started", wasStopped: true } : { type: "host.app.failed", failure: end.failure },
      );
    },
  };
}

function isStopped(state: string | undefined): boolean {
  return state === "STOPPED" || state === "STOPPING";
}
