import type { JsonObject } from "../../../core/json/json.ts";
import { holdsSent } from "../../../core/plan/values/merge-values.ts";
import { readApp } from "../../read-plan.ts";
import type { EffectHandler, EffectRun, MachineEvent } from "../../runtime/effect.ts";
import { noteInstalled } from "../../runtime/installations.ts";
import { TRAIN } from "../../separate-trains.ts";
import type { StoredApp } from "../../stored-plan.ts";
import { keepLastScript } from "../../surfaces/last-scripts.ts";
import { listNotedPasswords } from "../../vault/app-secrets.ts";
import { PASSWORDS } from "../../vault/kept-choices.ts";
import type { EffectDeps } from "../deps.ts";
import { confirmDirectories } from "../files/confirm-directories.ts";
import { retryWhileUnreachable } from "../retry.ts";
import { attributeToQuestions } from "./attribute-failure.ts";
import { catchUnknownEnd, type JobEnd, type JobWork, performJob, reconcileJob, reportWork } from "./host-job.ts";
import { toSlot } from "./job-slot.ts";
import { readTextParam } from "./params.ts";
import { startStopped } from "./start-app.ts";

/**
 * `host.app.create {appId}` -> `host.done`, its containers started, or `host.failed` with `done`: `true` where the app is
 * there and could not be started, `"unknown"` where nobody knows.
 */
export function createAppEffect(deps: EffectDeps): EffectHandler {
  const { host, store } = deps;

  function planWork(app: StoredApp): JobWork {
    return {
      call: {
        method: "createApp",
        name: app.instance,
        catalogApp: app.catalogApp,
        train: app.train,
        ...(app.version !== undefined && { version: app.version }),
        values: app.appValues,
      },
      ready: () => confirmDirectories(deps, app),
      happened: async () => (await host.app(app.instance)) !== null,
    };
  }

  /**
   * Resolves a name that is taken: the app of a failed attempt, finished by the host after all (an ABORTED job's work
   * goes on), is the one asked for.
   */
  async function resolveTakenName(app: StoredApp, run: EffectRun, taken: JobEnd): Promise<JobEnd> {
    const live = await retryWhileUnreachable(deps, run, () => host.app(app.instance));
    if (live?.appId !== app.appId) return taken;
    const config = await retryWhileUnreachable(deps, run, () => host.appConfig(app.instance));
    return holdsSent(config, app.appValues, app.keptValues) ? { ok: true } : taken;
  }

  async function end(app: StoredApp, run: EffectRun, result: JobEnd): Promise<MachineEvent> {
    const isTaken = !result.ok && result.failure.code === "HOST_NAME_TAKEN";
    const created = isTaken ? await catchUnknownEnd(run, () => resolveTakenName(app, run, result)) : result;
    if (!created.ok) {
      return { type: "host.failed", failure: attributeToQuestions(app, created.failure), ...reportWork(created) };
    }
    // The app is there with these values, whether its containers start or not.
    keepChoices(deps, app);
    keepTrain(deps, app);
    noteInstalled(store, app.appId, run.taskId);
    const start = await startStopped(deps, run, app, "startAfter");
    return start.ok ? { type: "host.done" } : { type: "host.failed", failure: start.failure, done: true };
  }

  return {
    class: "create",
    async perform(params: JsonObject, run: EffectRun) {
      const app = readApp(store, run.rootId, readTextParam(params, "appId"));
      // While the apps service starts up the job would fail; the question waits instead.
      await retryWhileUnreachable(deps, run, () => host.app(app.instance));
      return end(app, run, await performJob(deps, toSlot(run), planWork(app)));
    },
    async reconcile(params, run) {
      const app = readApp(store, run.rootId, readTextParam(params, "appId"));
      return reconcileJob(deps, toSlot(run), planWork(app), (result) => end(app, run, result));
    },
  };
}

/** Keeps the train an app comes from: its catalog id may stand in another one too, for another app. */
export function keepTrain({ store }: Pick<EffectDeps, "store">, { appId, custom, train }: StoredApp): void {
  store.keepSettings(appId, { [TRAIN]: custom ? null : train });
}

/** Keeps answers, generated strings and the script's version: a later update or reinstall starts from them (docs/decisions.md, section 2.7). */
export function keepChoices({ store, catalog }: Pick<EffectDeps, "store" | "catalog">, app: StoredApp): void {
  keepLastScript(store, catalog.entry(app.appId));
  store.keepSettings(app.appId, {
    answers: app.answers,
    randoms: app.randoms,
    scriptVersion: app.scriptVersion,
    metadataVersion: app.metadataVersion ?? null,
    // A plan of an earlier build does not say which they are.
    ...(app.passwords && { [PASSWORDS]: listNotedPasswords(store, app, app.passwords) }),
  });
}
