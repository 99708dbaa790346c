import type { EffectHandler, EffectRun, MachineEvent } from "../effect.ts";
import { readApp, type StoredApp } from "../stored-plan.ts";
import { type JobEnd, type JobWork, performJob, reconcileJob, slotOf } from "./host-job.ts";
import { textParam } from "./params.ts";
import { patiently } from "./patience.ts";
import type { EffectScene } from "./scene.ts";

/** `host.app.upgrade {appId}` -> `host.app.upgraded` or `host.app.failed`, with version and state as they are now. */
export function upgradeAppEffect(scene: EffectScene): EffectHandler {
  const { host, store } = scene;

  function workOf(app: StoredApp): JobWork {
    const { instance, toVersion } = app;
    return {
      call: { method: "app.upgrade", name: instance, ...(toVersion !== undefined && { version: toVersion }) },
      happened: async () => toVersion !== undefined && (await host.app(instance))?.version === toVersion,
    };
  }

  /** A failed upgrade may have left the old version stopped or the new one half up (facts/host-api.md 4). */
  async function end(app: StoredApp, run: EffectRun, result: JobEnd): Promise<MachineEvent> {
    if (result.ok) return { type: "host.app.upgraded" };
    const now = await patiently(scene, run, () => host.app(app.instance));
    const context = [
      ...result.failure.context,
      { label: "version before", value: app.fromVersion ?? "unknown" },
      { label: "version wanted", value: app.toVersion ?? "latest" },
      { label: "version now", value: now?.version ?? "none" },
      { label: "state now", value: now?.state ?? "MISSING" },
    ];
    return { type: "host.app.failed", failure: { ...result.failure, context } };
  }

  return {
    class: "mutate",
    async perform(params, run) {
      const app = readApp(store, run.rootId, textParam(params, "appId"));
      return end(app, run, await performJob(scene, slotOf(run), workOf(app)));
    },
    async reconcile(params, run) {
      const app = readApp(store, run.rootId, textParam(params, "appId"));
      return reconcileJob(scene, slotOf(run), workOf(app), (result) => end(app, run, result));
    },
  };
}
