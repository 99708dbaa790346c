import { holdsValues } from "../../../core/plan/values/merge-values.ts";
import { readApp, readRollback } from "../../read-plan.ts";
import type { EffectHandler, EffectRun, MachineEvent } from "../../runtime/effect.ts";
import { noteUndone } from "../../runtime/installations.ts";
import type { RollbackPlan, StoredApp } from "../../stored-plan.ts";
import type { EffectDeps } from "../deps.ts";
import { confirmDirectories } from "../files/declared-path.ts";
import { ensureJob, type JobEnd, type JobWork, reportWork } from "./host-job.ts";
import { toFurtherSlot, toSlot } from "./job-slot.ts";
import { readTextParam } from "./params.ts";
import { startStopped } from "./start-app.ts";

type Former = NonNullable<RollbackPlan["app"]>;

/**
 * `host.app.rollback {appId}` -> `host.done {calls}` or `host.failed`: the version by `app.rollback` where it is another,
 * the values by `app.update` where the host has others, then what the engine keeps of the app. A job that was sent is
 * asked for first: the host shows the old version long before it ends.
 */
export function revertAppEffect(deps: EffectDeps): EffectHandler {
  const { host, store } = deps;

  const planRollback = (app: StoredApp, { version }: Former): JobWork => ({
    call: { method: "app.rollback", name: app.instance, version },
    ready: () => confirmDirectories(host, app),
    happened: async () => (await host.app(app.instance))?.version === version,
  });
  const planValues = (app: StoredApp, { values }: Former): JobWork => ({
    call: { method: "app.update", name: app.instance, values },
    ready: () => confirmDirectories(host, app),
    happened: async () => holdsValues(await host.appConfig(app.instance), values),
  });

  async function revert(app: StoredApp, former: Former, run: EffectRun): Promise<JobEnd> {
    for (const [slot, work] of [
      [toSlot(run), planRollback(app, former)],
      [toFurtherSlot(run, "values"), planValues(app, former)],
    ] as const) {
      const end = await ensureJob(deps, slot, work);
      if (!end.ok) return end;
    }
    return { ok: true };
  }

  async function end(app: StoredApp, rollback: RollbackPlan, run: EffectRun): Promise<MachineEvent> {
    const { app: former, since } = rollback;
    if (former === undefined) throw new Error("a rollback that leaves the app as it is does not revert it");
    const reverted = await revert(app, former, run);
    if (!reverted.ok) return { type: "host.failed", failure: reverted.failure, ...reportWork(reverted) };
    store.keepSettings(app.appId, former.choices);
    noteUndone(store, app.appId, { from: since, until: run.intendedAt });
    const started = await startStopped(deps, run, app);
    return started.ok
      ? { type: "host.done", calls: ["app.rollback"] }
      : { type: "host.failed", failure: started.failure, done: true, calls: ["app.rollback"] };
  }

  return {
    class: "mutate",
    perform: (params, run) =>
      end(readApp(store, run.rootId, readTextParam(params, "appId")), readRollback(store, run.rootId, params), run),
    // Whatever was sent is looked for before anything is sent again.
    reconcile: async () => ({ status: "not_started" }),
  };
}
