import type { EffectHandler, EffectRun, MachineEvent } from "../../runtime/effect.ts";
import { readApp, type StoredApp } from "../../stored-plan.ts";
import type { EffectScene } from "../deps.ts";
import { orRefused } from "../failures.ts";
import { confirmDirectories } from "../files/declared-path.ts";
import { patiently } from "../retry.ts";
import { ensureJob, furtherSlot, type JobEnd, type JobWork, performJob, reconcileJob, slotOf } from "./host-job.ts";
import { textParam } from "./params.ts";

/**
 * `host.app.start {appId}` -> `host.app.started {wasStopped}` or `host.app.failed`: `app.upgrade` refuses a stopped app
 * (decisions.md 4).
 */
export function startAppEffect(scene: EffectScene): EffectHandler {
  const { host, store } = scene;

  return {
    class: "mutate",
    async perform(params, run): Promise<MachineEvent> {
      const app = readApp(store, run.rootId, textParam(params, "appId"));
      const live = await patiently(scene, run, () => host.app(app.instance));
      if (!isStopped(live?.state)) return { type: "host.app.started", wasStopped: false };
      // Noted before it is sent: that an app runs does not tell a later life that it was stopped.
      run.writeNote({ wasStopped: true });
      const end = await performJob(scene, slotOf(run), startWork(scene, app));
      return end.ok
        ? { type: "host.app.started", wasStopped: true }
        : { type: "host.app.failed", failure: end.failure };
    },
    async reconcile(params, run) {
      if (run.note?.["wasStopped"] !== true) return { status: "not_started" };
      const app = readApp(store, run.rootId, textParam(params, "appId"));
      return reconcileJob(scene, slotOf(run), startWork(scene, app), (end) =>
        end.ok ? { type: "host.app.started", wasStopped: true } : { type: "host.app.failed", failure: end.failure },
      );
    },
  };
}

/**
 * Starts an app that is STOPPED, inside an effect about something else. The host leaves one so when its service restarts
 * in the middle of `app.create` or `app.upgrade`, or when an upgrade fails (facts/host-api.md, sections 4 and 11).
 */
export async function startStopped(scene: EffectScene, run: EffectRun, app: StoredApp): Promise<JobEnd> {
  const start = async (): Promise<JobEnd> => {
    const live = await patiently(scene, run, () => scene.host.app(app.instance));
    if (!isStopped(live?.state)) return { ok: true };
    return ensureJob(scene, furtherSlot(run, "start"), startWork(scene, app));
  };
  return orRefused(run.signal, start, (failure) => ({ ok: false, failure }));
}

function startWork({ host }: Pick<EffectScene, "host">, app: StoredApp): JobWork {
  const { instance } = app;
  return {
    call: { method: "app.start", name: instance },
    ready: () => confirmDirectories(host, app),
    happened: async () => !isStopped((await host.app(instance))?.state),
  };
}

function isStopped(state: string | undefined): boolean {
  return state === "STOPPED" || state === "STOPPING";
}
