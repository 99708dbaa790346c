/** What is kept of upgrades that begin by themselves: when who wants them, and which windows are over and done with. */
import { z } from "zod";
import { EngineError } from "../../core/codes/problems.ts";
import { toJsonObject } from "../../core/json/json.ts";
import { findCronFault } from "../../core/schedule/cron.ts";
import type { UpgradeAllRequest } from "../api.ts";
import type { Store } from "../ports/store.ts";
import { type AutomaticUpgrades, UpgradePolicies, type UpgradePolicy } from "../requests.ts";

type Settings = Pick<Store, "setting" | "keepSettings">;

/** They are of no app. */
const OWNER = "";
const KEY = "upgradePolicies";

const Kept = z.object({
  policies: UpgradePolicies,
  /** By schedule: UTC ms up to which its windows are done. */
  done: z.record(z.string(), z.number()),
});
type Kept = z.infer<typeof Kept>;

/** Upgrades that begin by themselves: of one app by its id, or `all` of those without a policy of their own. */
export interface Schedule {
  readonly id: string;
  readonly policy: AutomaticUpgrades;
  readonly request: UpgradeAllRequest;
  /** UTC ms: windows that opened until then are done, or were before anybody wanted them. */
  readonly done: number;
}

/** The policies as they are kept; manual ones where nobody has set any. */
export function readPolicies(store: Pick<Store, "setting">): UpgradePolicies {
  return readKept(store).policies;
}

/** Whether people are told of upgrades of an app, or of any app at all. */
export function wantsNotice({ all, apps }: UpgradePolicies, appId?: string): boolean {
  const own = appId !== undefined && Object.hasOwn(apps, appId) ? apps[appId] : undefined;
  const asked = appId === undefined ? [all, ...Object.values(apps)] : [own ?? all];
  return asked.some(({ mode }) => mode === "notify");
}

/** Whether anybody wants upgrades to begin by themselves, or an app to be left out of them. */
export function hasPolicies({ all, apps }: UpgradePolicies): boolean {
  return all.mode !== "manual" || Object.keys(apps).length > 0;
}

/** Keeps policies. Windows of a new or changed one count from `now` on. Throws `TASK_CRON_INVALID`. */
export function keepPolicies(store: Settings, policies: UpgradePolicies, now: number): void {
  refuseFaultyPolicies(policies);
  const before = readKept(store);
  const known = new Map(listAutomatic(before.policies).map(({ id, policy }) => [id, JSON.stringify(policy)]));
  const done = listAutomatic(policies).map(({ id, policy }) => [
    id,
    known.get(id) === JSON.stringify(policy) ? (before.done[id] ?? now) : now,
  ]);
  keep(store, { policies, done: Object.fromEntries(done) });
}

/** The schedules there are: one for the apps without a policy of their own, one for each app that has an automatic one. */
export function listSchedules(store: Pick<Store, "setting">): readonly Schedule[] {
  const { policies, done } = readKept(store);
  const own = Object.keys(policies.apps);
  return listAutomatic(policies).map(({ id, policy }) => {
    const stop = policy.stopOnFailure === true ? { stopOnFailure: true } : {};
    const which = id === ALL ? (own.length === 0 ? {} : { except: own }) : { apps: [id] };
    return { id, policy, request: { ...which, ...stop }, done: done[id] ?? 0 };
  });
}

/** Notes that the windows of a schedule that opened until a time are done. */
export function keepDone(store: Settings, id: string, until: number): void {
  const kept = readKept(store);
  keep(store, { ...kept, done: { ...kept.done, [id]: until } });
}

/** The id of the schedule of all apps: no app has one like it. */
export const ALL = "*";

function listAutomatic({ all, apps }: UpgradePolicies): readonly { id: string; policy: AutomaticUpgrades }[] {
  const every: readonly (readonly [string, UpgradePolicy])[] = [[ALL, all], ...Object.entries(apps)];
  return every.flatMap(([id, policy]) => (policy.mode === "automatic" ? [{ id, policy }] : []));
}

/** Throws `TASK_CRON_INVALID` for the first policy whose times can't be read. */
export function refuseFaultyPolicies(policies: UpgradePolicies): void {
  for (const { policy } of listAutomatic(policies)) refuseFaultyCron(policy);
}

function refuseFaultyCron({ cron }: AutomaticUpgrades): void {
  const fault = findCronFault(cron);
  if (fault === null) return;
  const { message, position } = fault;
  const text = `"${cron}" is no cron expression: ${message} (at character ${position + 1})`;
  throw new EngineError("TASK_CRON_INVALID", text, { cron, position });
}

function readKept(store: Pick<Store, "setting">): Kept {
  const kept = store.setting(OWNER, KEY);
  return kept === null ? { policies: { all: { mode: "manual" }, apps: {} }, done: {} } : Kept.parse(kept);
}

function keep(store: Settings, kept: Kept): void {
  store.keepSettings(OWNER, { [KEY]: toJsonObject(kept) });
}
