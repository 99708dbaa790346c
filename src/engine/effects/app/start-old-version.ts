import type { EffectRun } from "../../runtime/effect.ts";
import type { StoredApp } from "../../stored-plan.ts";
import type { EffectDeps } from "../deps.ts";
import { catchRefusal } from "../failures.ts";
import { retryWhileUnreachable } from "../retry.ts";
import type { JobEnd } from "./host-job.ts";
import { wasSent } from "./job-slot.ts";
import { isStopped, startStopped } from "./start-app.ts";

/** What the task says about the start of the old version. */
interface StartedAgain {
  readonly marks: readonly string[];
  readonly calls?: readonly string[];
}

/** Failures after which nothing is started: the host has stopped nothing, or its work goes on behind an aborted job. */
const LEAVES_AS_IS: ReadonlySet<string> = new Set(["HOST_APP_STOPPED", "HOST_JOB_ABORTED"]);

/** The note of an effect that has begun to start the old version. */
const BEGUN = "startsAgain";

/**
 * Starts the old version of an app that a failed `app.upgrade` has left stopped: the host stops an app before it looks at
 * its values (docs/host-api.md, section 4). The intent is noted first: after a kill the same start is found or sent, and the
 * task has its mark. Resolves with null if the upgrade left nothing stopped, or the host never accepted it.
 */
export async function startOldVersion(
  deps: EffectDeps,
  run: EffectRun,
  app: StoredApp,
  upgrade: JobEnd,
): Promise<StartedAgain | null> {
  if (upgrade.ok || upgrade.unknown || app.custom || !wasSent(run)) return null;
  if (LEAVES_AS_IS.has(upgrade.failure.code)) return null;
  const isLeftStopped = async () => {
    const live = await retryWhileUnreachable(deps, run, () => deps.host.app(app.instance));
    return live?.version === app.fromVersion && isStopped(live?.state);
  };
  const hasBegun = run.note?.[BEGUN] === true;
  if (!hasBegun && !(await catchRefusal(run.signal, isLeftStopped, () => false))) return null;
  run.writeNote({ ...run.note, [BEGUN]: true });
  const start = await startStopped(deps, run, app, "startAgain");
  const version = app.fromVersion ?? "unknown";
  return start.ok
    ? { marks: [`oldVersionStarted: ${version}`], calls: ["app.start"] }
    : { marks: [`oldVersionStopped: ${version}: ${start.failure.message}`] };
}
