import { hasSections } from "../../../core/plan/values/merge-values.ts";
import { readApp, readRollback } from "../../read-plan.ts";
import type { EffectHandler, EffectRun, MachineEvent } from "../../runtime/effect.ts";
import { noteUndone } from "../../runtime/installations.ts";
import type { FormerApp, RollbackPlan, StoredApp } from "../../stored-plan.ts";
import type { EffectDeps } from "../deps.ts";
import { confirmDirectories } from "../files/confirm-directories.ts";
import { confirmNotSwapped } from "../files/confirm-not-overtaken.ts";
import { confirmDatasets } from "../files/confirm-restorable.ts";
import { listMadeDirectories } from "../files/made-directories.ts";
import { retryWhileUnreachable } from "../retry.ts";
import { ensureJob, type JobEnd, type JobWork, reportWork } from "./host-job.ts";
import { toFurtherSlot, toSlot } from "./job-slot.ts";
import { readTextParam } from "./params.ts";
import { startStopped } from "./start-app.ts";

/**
 * `host.app.rollback {appId}` -> `host.done {calls}` or `host.failed {calls}`: the version by `app.rollback` where it is
 * another, which `host.restoring {calls}` tells, the values by `app.update` where the host has others, then what the
 * engine keeps of the app. A job that was sent is asked for first: the host shows the old version long before it ends.
 */
export function revertAppEffect(deps: EffectDeps): EffectHandler {
  const { host, store } = deps;

  /** Also immediately before: an attempt that failed may be long ago. */
  async function confirm(app: StoredApp): Promise<void> {
    await confirmDirectories(deps, app);
    await confirmDatasets(deps, app, listMadeDirectories(store));
  }

  const planRollback = (app: StoredApp, { version }: FormerApp): JobWork => ({
    call: { method: "rollBackApp", name: app.instance, version },
    ready: () => confirm(app),
    happened: async () => (await host.app(app.instance))?.version === version,
  });
  const planValues = (app: StoredApp, { values }: FormerApp): JobWork => ({
    call: { method: "updateApp", name: app.instance, values },
    ready: () => confirm(app),
    happened: async () => hasSections(await host.appConfig(app.instance), values),
  });

  /** `calls`: what of it is done, whatever the end. */
  async function revert(app: StoredApp, former: FormerApp, run: EffectRun): Promise<{ end: JobEnd; calls: string[] }> {
    // In an older copy of the database this is the effect, and its jobs are those, of the time that copy lacks.
    await retryWhileUnreachable(deps, run, () => confirmNotSwapped(deps, app));
    const version = await ensureJob(deps, toSlot(run), planRollback(app, former));
    const calls = version.ok && former.from !== former.version ? ["app.rollback"] : [];
    if (!version.ok) return { end: version, calls };
    if (calls.length > 0) run.emit({ type: "host.restoring", calls });
    const values = await ensureJob(deps, toFurtherSlot(run, "values"), planValues(app, former));
    return { end: values, calls: values.ok ? [...calls, "app.update"] : calls };
  }

  async function end(app: StoredApp, rollback: RollbackPlan, run: EffectRun): Promise<MachineEvent> {
    const { app: former, since } = rollback;
    if (former === undefined) throw new Error("a rollback that leaves the app as it is does not revert it");
    const { end: reverted, calls } = await revert(app, former, run);
    if (!reverted.ok) {
      const done = reportWork(reverted).done || calls.length > 0;
      return { type: "host.failed", failure: reverted.failure, done, calls };
    }
    store.keepSettings(app.appId, former.choices);
    noteUndone(store, app.appId, { from: since, until: run.intendedAt });
    const started = await startStopped(deps, run, app, "startAfter");
    return started.ok
      ? { type: "host.done", calls }
      : { type: "host.failed", failure: started.failure, done: true, calls };
  }

  return {
    class: "mutate",
    perform: (params, run) =>
      end(readApp(store, run.rootId, readTextParam(params, "appId")), readRollback(store, run.rootId, params), run),
    // Whatever was sent is looked for before anything is sent again.
    reconcile: async () => ({ status: "not_started" }),
  };
}
