import type { StartInput } from "../../../machines/start/types.ts";
import { createAppUnknownError } from "../../core/codes/common-errors.ts";
import { toJsonObject } from "../../core/json/json.ts";
import type { TaskView } from "../api.ts";
import { findApp } from "../find-app.ts";
import type { HostApp } from "../ports/host-records.ts";
import type { StoredPlan } from "../stored-plan.ts";
import type { MethodDeps } from "./deps.ts";
import { createNotInstalledError } from "./host-side.ts";
import { readKeptChoices } from "./kept-choices.ts";
import { freezePlan, planUpgrade, toStoredApp } from "./plan-app.ts";
import { freeClaims, refuseConflict, toAppClaim } from "./request/request.ts";

/**
 * Starts the start, stop or restart of an installed app, whether the catalog has a script of it or not. Throws
 * `TASK_APP_NOT_INSTALLED`, and `TASK_APP_UNKNOWN` where the catalog does not know it either.
 */
export async function switchApp(
  deps: MethodDeps,
  appId: string,
  kind: "start" | "stop" | "restart",
): Promise<TaskView> {
  refuseConflict(deps, appId);
  const { title, plan } = await freezeInstalled(deps, appId);
  const input: StartInput = { appId, title, marks: [], runningDeadlineMs: deps.timing.runningDeadline };
  freeClaims(deps, [toAppClaim(appId)]);
  return deps.runtime.start({
    machine: kind,
    input: toJsonObject(input),
    kind,
    appId,
    claim: toAppClaim(appId),
    plan: toJsonObject(plan),
  });
}

/** An installed app as a task that leaves its values alone needs it. */
export interface FrozenApp {
  /** Name for people. */
  readonly title: string;
  readonly plan: StoredPlan;
}

/** Freezes what is known of an installed app; of one without a usable script no directory is. */
export async function freezeInstalled(deps: MethodDeps, appId: string): Promise<FrozenApp> {
  const app = findApp(await deps.host.apps(), appId);
  const entry = deps.view().apps.get(appId);
  if (app === null) throw entry === undefined ? createAppUnknownError(appId) : createNotInstalledError(appId);
  const dictionary = entry?.dictionary ?? null;
  const title = dictionary?.metadata?.name ?? app.title ?? appId;
  const host = { title, instance: app.name, catalogApp: app.appId, train: "" };
  if (dictionary === null) return { title, plan: await freezeUnscripted(deps, app, host) };
  const facts = await deps.host.facts();
  const live = await deps.host.appConfig(app.name);
  const { plan } = planUpgrade(deps, { dictionary, facts, kept: readKeptChoices(deps, appId), live });
  return { title, plan: freezePlan({ hooks: {} }, toStoredApp(plan, facts, host), plan) };
}

async function freezeUnscripted(
  { host }: MethodDeps,
  { appId, custom }: HostApp,
  known: Parameters<typeof toStoredApp>[2],
): Promise<StoredPlan> {
  const { locations } = await host.facts();
  const nothing = { appValues: {}, directories: [], answers: {}, randoms: {}, ports: [] };
  const app = { ...known, ...nothing, appId, custom, scriptVersion: "", locations };
  return { format: 1, apps: { [appId]: app }, hooks: {}, secrets: [] };
}
