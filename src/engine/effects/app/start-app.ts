import type { EffectRun } from "../../runtime/effect.ts";
import type { StoredApp } from "../../stored-plan.ts";
import type { EffectDeps } from "../deps.ts";
import { catchRefusal } from "../failures.ts";
import { confirmDirectories } from "../files/confirm-directories.ts";
import { retryWhileUnreachable } from "../retry.ts";
import { ensureJob, type JobEnd, type JobWork } from "./host-job.ts";
import { toFurtherSlot } from "./job-slot.ts";

/** Which start of one effect it is: each is one job, found again under an id of its own. */
type StartPurpose = "startBefore" | "startAfter" | "startAgain";

/**
 * Starts an app that is STOPPED, inside an effect about something else. The host leaves one so when its service restarts
 * in the middle of `app.create` or `app.upgrade`, or when an upgrade fails (docs/host-api.md, sections 4 and 11).
 */
export async function startStopped(
  deps: EffectDeps,
  run: EffectRun,
  app: StoredApp,
  purpose: StartPurpose,
): Promise<JobEnd> {
  const start = async (): Promise<JobEnd> => {
    const live = await retryWhileUnreachable(deps, run, () => deps.host.app(app.instance));
    if (!isStopped(live?.state)) return { ok: true };
    return ensureJob(deps, toFurtherSlot(run, purpose), startWork(deps, app));
  };
  return catchRefusal(run.signal, start, (failure) => ({ ok: false, failure }));
}

/** The job that starts an app found in the state `was`. */
export function startWork(deps: Pick<EffectDeps, "host" | "store">, app: StoredApp, was = "STOPPED"): JobWork {
  const { host } = deps;
  const { instance } = app;
  return {
    call: { method: "startApp", name: instance },
    ready: () => confirmDirectories(deps, app),
    happened: async () => {
      const state = (await host.app(instance))?.state;
      return state !== was && !isStopped(state);
    },
  };
}

/** Tells whether no container of an app in this state is to run. */
export function isStopped(state: string | undefined): boolean {
  return state === "STOPPED" || state === "STOPPING";
}
