/** `host.app.start` and `host.app.stop`: a job about an app that is looked at first, since it may be as wanted. */
import type { JsonObject } from "../../../core/json/json.ts";
import { readApp } from "../../read-plan.ts";
import type { EffectHandler, MachineEvent } from "../../runtime/effect.ts";
import type { StoredApp } from "../../stored-plan.ts";
import type { EffectDeps } from "../deps.ts";
import { retryWhileUnreachable } from "../retry.ts";
import { type JobEnd, type JobWork, performJob, reconcileJob, reportWork } from "./host-job.ts";
import { toSlot } from "./job-slot.ts";
import { readTextParam } from "./params.ts";
import { isStopped, startWork } from "./start-app.ts";

/**
 * `host.app.start {appId, wanted?}` -> `host.done` or `host.failed`. A stopped app is started, and marked so, since
 * `app.upgrade` refuses one (docs/decisions.md, section 4); one that is `wanted` by a person whatever keeps it from running.
 */
export function startAppEffect(deps: EffectDeps): EffectHandler {
  const isWanted = (params: JsonObject) => params["wanted"] === true;
  return createSwitch(deps, {
    isShown: isWanted,
    isNeeded: (state, params) => (isWanted(params) ? state !== "RUNNING" && state !== "DEPLOYING" : isStopped(state)),
    planWork: startWork,
    toDone: (params) => (isWanted(params) ? { calls: ["app.start"] } : { marks: ["started"] }),
  });
}

/** `host.app.stop {appId}` -> `host.done` or `host.failed`. */
export function stopAppEffect(deps: EffectDeps): EffectHandler {
  return createSwitch(deps, {
    isShown: () => true,
    isNeeded: (state) => state !== "STOPPED",
    planWork: ({ host }, { instance }) => ({
      call: { method: "stopApp", name: instance },
      happened: async () => (await host.app(instance))?.state === "STOPPED",
    }),
    toDone: () => ({ calls: ["app.stop"] }),
  });
}

interface Switch {
  /** Whether the task is about the app's state, and shows it. */
  readonly isShown: (params: JsonObject) => boolean;
  /** Whether an app in this state has to be switched; `MISSING` where the host has none: its refusal says so. */
  readonly isNeeded: (state: string, params: JsonObject) => boolean;
  /** `was` is the state the app was found in. */
  readonly planWork: (deps: Pick<EffectDeps, "host" | "store">, app: StoredApp, was: string) => JobWork;
  /** Told where the job was done. */
  readonly toDone: (params: JsonObject) => { readonly calls: string[] } | { readonly marks: string[] };
}

function createSwitch(deps: EffectDeps, { isShown, isNeeded, planWork, toDone }: Switch): EffectHandler {
  const toEvent = (params: JsonObject, end: JobEnd): MachineEvent =>
    end.ok
      ? { type: "host.done", ...toDone(params) }
      : { type: "host.failed", failure: end.failure, ...reportWork(end) };

  return {
    class: "mutate",
    async perform(params, run) {
      const app = readApp(deps.store, run.rootId, readTextParam(params, "appId"));
      const live = await retryWhileUnreachable(deps, run, () => deps.host.app(app.instance));
      const was = live?.state ?? "MISSING";
      if (isShown(params)) run.emit({ type: "host.app.seen", state: was });
      if (!isNeeded(was, params)) return { type: "host.done" };
      // Noted before it is sent: the state of the app does not tell a later life whether anything was asked for.
      run.writeNote({ was });
      return toEvent(params, await performJob(deps, toSlot(run), planWork(deps, app, was)));
    },
    async reconcile(params, run) {
      const was = run.note?.["was"];
      if (typeof was !== "string") return { status: "not_started" };
      const app = readApp(deps.store, run.rootId, readTextParam(params, "appId"));
      return reconcileJob(deps, toSlot(run), planWork(deps, app, was), (end) => toEvent(params, end));
    },
  };
}
