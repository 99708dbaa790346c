import { createAppUnknownError } from "../../core/codes/common-errors.ts";
import { createMask, type Mask } from "../../core/report/mask.ts";
import { findApp } from "../find-app.ts";
import type { HostApp } from "../ports/host-records.ts";
import type { StoredPlan } from "../stored-plan.ts";
import { listAppSecrets } from "../vault/app-secrets.ts";
import { readKeptChoices } from "../vault/kept-choices.ts";
import type { MethodDeps } from "./deps.ts";
import { createNotInstalledError } from "./host-side.ts";
import { freezePlan, planUpgrade, toStoredApp } from "./plan-app.ts";

/** An installed app as a task that leaves its values alone needs it. */
export interface FrozenApp {
  /** Name for people. */
  readonly title: string;
  readonly plan: StoredPlan;
  /** Masks the app's secrets, which paths on the host may hold. */
  readonly mask: Mask;
}

/** Freezes what is known of one of the installed apps; of one without a usable script no directory is. */
export async function freezeInstalled(deps: MethodDeps, appId: string, apps: readonly HostApp[]): Promise<FrozenApp> {
  const app = findApp(apps, appId);
  const entry = deps.view().apps.get(appId);
  if (app === null) throw entry === undefined ? createAppUnknownError(appId) : createNotInstalledError(appId);
  const dictionary = entry?.dictionary ?? null;
  const title = dictionary?.metadata?.name ?? app.title ?? appId;
  const host = { title, instance: app.name, catalogApp: app.appId, train: "" };
  const known = listAppSecrets(deps.store, appId, dictionary);
  if (dictionary === null) return addSecrets(title, await freezeUnscripted(deps, app, host), known);
  const facts = await deps.host.facts();
  const live = await deps.host.appConfig(app.name);
  const { plan } = planUpgrade(deps, { dictionary, facts, kept: readKeptChoices(deps, appId), live });
  return addSecrets(title, freezePlan({ hooks: {} }, toStoredApp(plan, facts, host), plan), known);
}

function addSecrets(title: string, plan: StoredPlan, known: readonly string[]): FrozenApp {
  const secrets = [...new Set([...plan.secrets, ...known])];
  return { title, plan: { ...plan, secrets }, mask: createMask(secrets) };
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
