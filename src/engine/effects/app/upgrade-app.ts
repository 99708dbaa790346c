import type { JsonObject } from "../../../core/json/json.ts";
import { mergeValues } from "../../../core/plan/values/merge-values.ts";
import { readApp } from "../../read-plan.ts";
import type { EffectHandler, EffectRun, MachineEvent } from "../../runtime/effect.ts";
import type { StoredApp } from "../../stored-plan.ts";
import type { EffectDeps } from "../deps.ts";
import { catchRefusal } from "../failures.ts";
import { confirmDirectories } from "../files/confirm-directories.ts";
import { retryWhileUnreachable } from "../retry.ts";
import { attributeToQuestions } from "./attribute-failure.ts";
import { keepChoices } from "./create-app.ts";
import { type JobEnd, type JobWork, performJob, reconcileJob, reportWork } from "./host-job.ts";
import { toSlot, wasSent } from "./job-slot.ts";
import { readTextParam } from "./params.ts";
import { startStopped } from "./start-app.ts";
import { startOldVersion } from "./start-old-version.ts";
import { planUpdateWork } from "./update-app.ts";
import { isAboutValues, WITH_VALUES } from "./with-values.ts";
import { findCertainRefusal, markWithheld } from "./withhold-upgrade.ts";

const DONE: JobEnd = { ok: true };

/** `withheld`: the host was not asked. */
type UpgradeEnd = JobEnd & { readonly withheld?: true };

/** Whether an upgrade changes an app's values: of a custom app, and if a person asked for those of the script. */
function hasValues({ custom, appValues }: StoredApp): boolean {
  return custom || Object.keys(appValues).length > 0;
}

/** Whether the host has refused the values of an upgrade it was asked for, or is certain to. */
function isRefused(run: EffectRun, upgrade: UpgradeEnd): boolean {
  return !upgrade.ok && (upgrade.withheld === true || wasSent(run)) && isAboutValues(upgrade.failure);
}

/**
 * Of a custom app by `app.update` with the values of its newer script, else by `app.upgrade`, with values if asked for:
 * `host.app.upgrade {appId}` -> `host.done`, its containers started, or `host.failed`, with version and state
 * as they are now, and `done` where the app has its version and could not be started (`true`), or nobody knows
 * (`"unknown"`). A failed upgrade that left the old version stopped is followed by its start; one whose values the version
 * is certain to refuse is not asked for.
 */
export function upgradeAppEffect(deps: EffectDeps): EffectHandler {
  const { host, store } = deps;

  /** Values of the script, if a person asked for an upgrade with them: merged into those the host has now. */
  async function planValues(app: StoredApp, run: EffectRun): Promise<JsonObject | null> {
    if (!hasValues(app)) return null;
    // Waits while the apps service starts up: until then the host knows no configuration.
    await retryWhileUnreachable(deps, run, () => host.app(app.instance));
    return mergeValues(app.appValues, await retryWhileUnreachable(deps, run, () => host.appConfig(app.instance)));
  }

  async function planWork(app: StoredApp, run: EffectRun): Promise<JobWork> {
    if (app.custom) return planUpdateWork(deps, app, run);
    const { instance, toVersion } = app;
    const values = await planValues(app, run);
    return {
      call: {
        method: "upgradeApp",
        name: instance,
        ...(toVersion !== undefined && { version: toVersion }),
        ...(values !== null && { values }),
      },
      ready: () => confirmDirectories(deps, app),
      happened: async () => toVersion !== undefined && (await host.app(instance))?.version === toVersion,
    };
  }

  /** A failed upgrade may have left the old version stopped or the new one half up (docs/host-api.md, section 4). */
  async function end(app: StoredApp, run: EffectRun, result: UpgradeEnd): Promise<MachineEvent> {
    // A failed attempt, finished by the host after all: an ABORTED job's work goes on.
    const isNone = !result.ok && result.failure.code === "HOST_UPGRADE_NONE";
    const isThere = async () => retryWhileUnreachable(deps, run, (await planWork(app, run)).happened);
    const upgraded = isNone && (await catchRefusal(run.signal, isThere, () => false)) ? DONE : result;
    if (upgraded.ok && hasValues(app)) keepChoices(deps, app);
    const end = upgraded.ok ? await startStopped(deps, run, app, "startAfter") : upgraded;
    if (end.ok) return { type: "host.done" };
    const isWithheld = !result.ok && result.withheld === true;
    const again = isWithheld ? { marks: [markWithheld(app)] } : await startOldVersion(deps, run, app, upgraded);
    const askLiveApp = () => retryWhileUnreachable(deps, run, () => host.app(app.instance));
    const now = await catchRefusal(run.signal, askLiveApp, () => ({ version: "unknown", state: "unknown" }));
    const context = [
      ...(hasValues(app) ? attributeToQuestions(app, end.failure) : end.failure).context,
      { label: "version before", value: app.fromVersion ?? "unknown" },
      { label: "version wanted", value: app.toVersion ?? "latest" },
      // The version of the host's generic app says nothing of a custom one.
      ...(app.custom ? [] : [{ label: "version now", value: now?.version ?? "none" }]),
      { label: "state now", value: now?.state ?? "MISSING" },
      ...(isRefused(run, upgraded) && !hasValues(app) ? [WITH_VALUES] : []),
    ];
    return { type: "host.failed", failure: { ...end.failure, context }, ...reportWork(upgraded), ...again };
  }

  /** After a failed attempt there may be nothing left to upgrade, or a stopped app, which the host does not upgrade. */
  async function upgrade(app: StoredApp, run: EffectRun): Promise<UpgradeEnd> {
    const work = await planWork(app, run);
    if (!app.custom && (await retryWhileUnreachable(deps, run, work.happened))) return { ok: true };
    const start = await startStopped(deps, run, app, "startBefore");
    if (!start.ok) return start;
    const failure = await findCertainRefusal(deps, run, app);
    return failure === null ? performJob(deps, toSlot(run), work) : { ok: false, failure, withheld: true };
  }

  return {
    class: "mutate",
    async perform(params, run) {
      const app = readApp(store, run.rootId, readTextParam(params, "appId"));
      return end(app, run, await upgrade(app, run));
    },
    async reconcile(params, run) {
      const app = readApp(store, run.rootId, readTextParam(params, "appId"));
      return reconcileJob(deps, toSlot(run), planWork(app, run), (result) => end(app, run, result));
    },
  };
}
