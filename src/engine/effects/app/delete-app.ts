import { readApp } from "../../read-plan.ts";
import type { EffectHandler, EffectRun, MachineEvent } from "../../runtime/effect.ts";
import type { StoredApp } from "../../stored-plan.ts";
import type { EffectDeps } from "../deps.ts";
import { catchRefusal } from "../failures.ts";
import { retryWhileUnreachable } from "../retry.ts";
import { type JobEnd, type JobWork, performJob, reconcileJob, reportWork } from "./host-job.ts";
import { toSlot } from "./job-slot.ts";
import { readTextParam } from "./params.ts";

/**
 * `host.app.delete {appId, withVolumes}` -> `host.done` or `host.failed`; an app that is gone is as wanted, whoever
 * removed it.
 */
export function deleteAppEffect(deps: EffectDeps): EffectHandler {
  // Another one may have taken its name since, by other means.
  const hasGone = async ({ instance, appId }: StoredApp) => (await deps.host.app(instance))?.appId !== appId;

  const isGone = (run: EffectRun, app: StoredApp) => retryWhileUnreachable(deps, run, () => hasGone(app));

  const planWork = (app: StoredApp, removeVolumes: boolean): JobWork => ({
    call: { method: "deleteApp", name: app.instance, removeVolumes },
    happened: () => hasGone(app),
  });

  async function end(app: StoredApp, run: EffectRun, result: JobEnd): Promise<MachineEvent> {
    if (result.ok) return { type: "host.done" };
    // A failed job may have removed it all the same, and so may somebody else.
    if (
      await catchRefusal(
        run.signal,
        () => isGone(run, app),
        () => false,
      )
    )
      return { type: "host.done" };
    return { type: "host.failed", failure: result.failure, ...reportWork(result) };
  }

  return {
    class: "mutate",
    async perform(params, run) {
      const app = readApp(deps.store, run.rootId, readTextParam(params, "appId"));
      if (await isGone(run, app)) return { type: "host.done" };
      return end(app, run, await performJob(deps, toSlot(run), planWork(app, params["withVolumes"] === true)));
    },
    async reconcile(params, run) {
      const app = readApp(deps.store, run.rootId, readTextParam(params, "appId"));
      const work = planWork(app, params["withVolumes"] === true);
      return reconcileJob(deps, toSlot(run), work, (result) => end(app, run, result));
    },
  };
}
