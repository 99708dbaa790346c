/** What a task has left of an app: its plan's part, copied so that it outlives the plan, which goes with old trees. Holds secrets. */
import { z } from "zod";
import { toJsonObject } from "../../core/json/json.ts";
import { readChangedBy } from "../effects/app/note-change.ts";
import type { Store } from "../ports/store.ts";
import type { TaskRow } from "../ports/store-rows.ts";
import type { StoredApp, StoredPlan } from "../stored-plan.ts";
import { StoredPlanSchema } from "../stored-plan-schema.ts";
import { listHeldSecrets } from "../vault/held-secrets.ts";
import { LEFT, readKeptChoices } from "../vault/kept-choices.ts";

export type LeftStore = Pick<Store, "setting" | "keepSettings" | "task" | "plan" | "runs">;

/** An app as the effect `changedBy` has left it. */
const LeftApp = z.object({
  changedBy: z.string(),
  /** Of the task: this app alone, without its answers. */
  plan: StoredPlanSchema,
  /** Paths the engine has seen to the share of. */
  shared: z.array(z.string()).readonly(),
});
export type LeftApp = Readonly<z.infer<typeof LeftApp>>;

/** The ends of a lifecycle that leave an app as its plan says. */
const AS_PLANNED: ReadonlySet<string> = new Set(["created", "updated", "upgraded", "rolledBack", "adopted"]);

/** null where no task of this engine has changed the app, or nobody knows what became of it. */
export function readLeftApp(store: LeftStore, appId: string): LeftApp | null {
  const changedBy = readChangedBy(store, appId);
  if (changedBy === null) return null;
  const kept = LeftApp.safeParse(store.setting(appId, LEFT)).data;
  if (kept?.changedBy === changedBy) return kept;
  const left = copyLeftApp(store, appId, changedBy);
  if (left !== null) store.keepSettings(appId, { [LEFT]: toJsonObject(left) });
  return left;
}

/** The same, and where that is not known what was kept of it last. */
export function readLastLeft(store: LeftStore, appId: string): LeftApp | null {
  return readLeftApp(store, appId) ?? LeftApp.safeParse(store.setting(appId, LEFT)).data ?? null;
}

/** Whether an app that is installed came by other means: this engine keeps nothing of what it was set up with, or took it away. */
export function isForeign(store: Pick<Store, "setting" | "keepSettings" | "task">, appId: string): boolean {
  if (readKeptChoices({ store }, appId) === null) return true;
  const changedBy = readChangedBy(store, appId);
  const result = changedBy === null ? undefined : store.task(toTaskId(changedBy))?.facts.result;
  return result !== undefined && "app" in result && result.app === "uninstalled";
}

/** Keeps how an app was left before a task changes it: one that leaves its options alone goes on from there. */
export function keepLeftApp(store: LeftStore, appId: string, taskId: string): void {
  const changedBy = readChangedBy(store, appId);
  if (changedBy === null || toTaskId(changedBy) === taskId || readLeftApp(store, appId) !== null) return;
  const kept = LeftApp.safeParse(store.setting(appId, LEFT)).data;
  const app = kept?.plan.apps[appId];
  if (kept === undefined || app === undefined) return;
  // Nobody knows what became of its options since.
  const { rollback: _, ...without } = { ...app, appValues: {} };
  const plan = { ...kept.plan, apps: { [appId]: without }, secrets: [] };
  store.keepSettings(appId, { [LEFT]: toJsonObject({ ...kept, plan }) });
}

function toTaskId(changedBy: string): string {
  return changedBy.slice(0, changedBy.lastIndexOf(":"));
}

function copyLeftApp(store: LeftStore, appId: string, changedBy: string): LeftApp | null {
  const row = store.task(toTaskId(changedBy));
  const result = row?.facts.result;
  if (row === null || result === undefined || !("app" in result) || !AS_PLANNED.has(result.app)) return null;
  if (row.kind === "rollback" && result.notDone.length > 0) return null;
  const plan = readKeptPlan(store, row);
  const app = plan?.apps[appId];
  if (plan === null || app === undefined) return null;
  const before = leavesOptions(row, app) ? LeftApp.safeParse(store.setting(appId, LEFT)).data : undefined;
  const own = { ...app, answers: {}, randoms: {}, ...(before !== undefined && readOptions(before.plan.apps[appId])) };
  const shared = listShared(store, appId, row);
  // A plan of several apps has the secrets of all; what is kept here is forgotten with this one.
  const known = [...new Set([...plan.secrets, ...(before?.plan.secrets ?? [])])];
  const secrets = listHeldSecrets(known, toJsonObject(own));
  return { changedBy, plan: { format: 1, apps: { [appId]: own }, hooks: {}, secrets }, shared };
}

/** An upgrade of a package without values of its script, and a rollback of data alone: their plans have no options. */
function leavesOptions({ kind }: TaskRow, { custom, rollback, appValues }: StoredApp): boolean {
  const isWithout = !custom && Object.keys(appValues).length === 0;
  return (kind === "upgrade" && isWithout) || (kind === "rollback" && rollback?.app === undefined);
}

/** Without the origins no value is shown; without what the host has kept of the values, those it converts differ. */
function readOptions(app: StoredApp | undefined): Pick<StoredApp, "appValues" | "keptValues" | "origins"> {
  if (app === undefined) return { appValues: {} };
  const { appValues, keptValues, origins = [], rollback } = app;
  if (rollback?.app !== undefined) return { appValues: rollback.app.values, origins: [] };
  return { appValues, ...(keptValues !== undefined && { keptValues }), origins };
}

function readKeptPlan(store: LeftStore, { root }: Pick<TaskRow, "root">): StoredPlan | null {
  return StoredPlanSchema.safeParse(store.plan(root)).data ?? null;
}

/** Only an install sees to every share; what it has shared counts until another one. */
function listShared(store: LeftStore, appId: string, row: TaskRow): readonly string[] {
  const before = LeftApp.safeParse(store.setting(appId, LEFT)).data;
  // Who shared what of an app that was adopted, nobody knows.
  if (row.kind === "adopt") return [];
  if (row.kind !== "install" && before !== undefined) return before.shared;
  const install = row.kind === "install" ? row : findInstall(store, appId);
  const planned = install === null ? undefined : readKeptPlan(store, install)?.apps[appId];
  return (planned?.directories ?? []).filter(({ share }) => share).map(({ path }) => path);
}

function findInstall(store: LeftStore, appId: string): TaskRow | null {
  const run = store.runs(appId).find(({ kind, state }) => kind === "install" && state === "COMPLETED");
  return run === undefined ? null : store.task(run.taskId);
}
