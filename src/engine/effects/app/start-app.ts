import { readApp } from "../../read-plan.ts";
import type { EffectHandler, EffectRun, MachineEvent } from "../../runtime/effect.ts";
import type { StoredApp } from "../../stored-plan.ts";
import type { EffectDeps } from "../deps.ts";
import { catchRefusal } from "../failures.ts";
import { confirmDirectories } from "../files/declared-path.ts";
import { retryWhileUnreachable } from "../retry.ts";
import { ensureJob, type JobEnd, type JobWork, performJob, reconcileJob } from "./host-job.ts";
import { toFurtherSlot, toSlot } from "./job-slot.ts";
import { readTextParam } from "./params.ts";

const STARTED = { type: "host.done", marks: ["started"] };

/**
 * `host.app.start {appId}` -> `host.done`, marked `started` where the app was stopped, or `host.failed`: `app.upgrade` refuses a stopped app
 * (docs/decisions.md, section 4).
 */
export function startAppEffect(deps: EffectDeps): EffectHandler {
  const { host, store } = deps;

  return {
    class: "mutate",
    async perform(params, run): Promise<MachineEvent> {
      const app = readApp(store, run.rootId, readTextParam(params, "appId"));
      const live = await retryWhileUnreachable(deps, run, () => host.app(app.instance));
      if (!isStopped(live?.state)) return { type: "host.done" };
      // Noted before it is sent: that an app runs does not tell a later life that it was stopped.
      run.writeNote({ wasStopped: true });
      const end = await performJob(deps, toSlot(run), startWork(deps, app));
      return end.ok ? STARTED : { type: "host.failed", failure: end.failure };
    },
    async reconcile(params, run) {
      if (run.note?.["wasStopped"] !== true) return { status: "not_started" };
      const app = readApp(store, run.rootId, readTextParam(params, "appId"));
      return reconcileJob(deps, toSlot(run), startWork(deps, app), (end) =>
        end.ok ? STARTED : { type: "host.failed", failure: end.failure },
      );
    },
  };
}

/**
 * Starts an app that is STOPPED, inside an effect about something else. The host leaves one so when its service restarts
 * in the middle of `app.create` or `app.upgrade`, or when an upgrade fails (docs/host-api.md, sections 4 and 11).
 */
export async function startStopped(deps: EffectDeps, run: EffectRun, app: StoredApp): Promise<JobEnd> {
  const start = async (): Promise<JobEnd> => {
    const live = await retryWhileUnreachable(deps, run, () => deps.host.app(app.instance));
    if (!isStopped(live?.state)) return { ok: true };
    return ensureJob(deps, toFurtherSlot(run, "start"), startWork(deps, app));
  };
  return catchRefusal(run.signal, start, (failure) => ({ ok: false, failure }));
}

function startWork({ host }: Pick<EffectDeps, "host">, app: StoredApp): JobWork {
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
