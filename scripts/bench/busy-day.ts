/** What the database of a busy appliance gets beside its trees of tasks, written as the engine writes it. */
import type { Actor } from "../../src/engine/audit/actor.ts";
import type { Deed } from "../../src/engine/audit/deed.ts";
import type { Store } from "../../src/engine/ports/store.ts";
import { ALL, keepDone, keepPolicies } from "../../src/engine/schedule/policies.ts";
import { keepTold } from "../../src/engine/schedule/told-versions.ts";

export const DAY_MS = 86_400_000;
const SCHEDULE: Actor = { id: "schedule", name: "the upgrade schedule", how: "schedule" };
const OWNER: Actor = { id: "owner-1", name: "Ada Lovelace at 192.168.100.120", how: "page" };
/** Of a day. */
const LOOKS_AT_NEWS = 10;
const REFUSED = 5;

/** Who begins the `number`th task of a day: the schedule the first one, a person at the page the others. */
export function nameDeed(number: number): Deed {
  return number === 0 ? { actor: SCHEDULE, method: "upgradeAll" } : { actor: OWNER, method: "install" };
}

/** Every night upgrades begin by themselves, but those of one app, of which people are told. `at`: UTC ms. */
export function keepSchedule(store: Store, toldApp: string, at: number): void {
  const apps = { [toldApp]: { mode: "notify" as const } };
  keepPolicies(store, { all: { mode: "automatic", cron: "0 3 * * *" }, apps }, at);
}

/**
 * A day beside its tasks, which began at `at` (UTC ms): its window of the schedule, a new version somebody is told of, what
 * people looked at, and calls that were refused.
 */
export function playDay(store: Store, toldApp: string, at: number): void {
  keepDone(store, ALL, at);
  const version = `1.0.${Math.floor(at / DAY_MS)}`;
  const id = `upgrade.${toldApp}.${version}`;
  store.keepNotification({ type: "upgrade.available", id, appId: toldApp, to: version, at, readAt: null });
  keepTold(store, toldApp, version);
  store.readNotifications(id, at);
  const deed = { actor: OWNER, at, appId: null, taskId: null, refused: null };
  for (let times = 0; times < LOOKS_AT_NEWS; times += 1) store.keepAudit({ ...deed, method: "readNotification" });
  store.keepAudit({ ...deed, method: "revealAnswer", appId: toldApp });
  for (let times = 0; times < REFUSED; times += 1) {
    store.keepAudit({ ...deed, method: "install", appId: toldApp, refused: "TASK_CONFLICT" });
  }
  store.heartbeat(at);
}
