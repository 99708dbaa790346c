/** What going back to a snapshot brings back, and what stays as it is and why. */
import { holdsValues } from "../../../core/plan/values/merge-values.ts";
import { listAppPaths } from "../../effects/files/app-paths.ts";
import { listMadeDirectories } from "../../effects/files/made-directories.ts";
import { explainNotOwn } from "../../effects/files/own-directories.ts";
import { listPlannedPaths } from "../../effects/files/planned-paths.ts";
import { findApp } from "../../find-app.ts";
import type { HostApp } from "../../ports/host-records.ts";
import type { FormerApp, RestoredDataset } from "../../stored-plan.ts";
import type { MethodDeps } from "../deps.ts";
import type { FrozenApp } from "../freeze-installed.ts";
import { createNotInstalledError } from "../host-side.ts";
import type { Found, FoundSnapshot } from "./find-snapshots.ts";

/** A dataset that stays as it is. */
export interface KeptDataset {
  /** Host paths the snapshot was taken for. */
  readonly paths: readonly string[];
  readonly reason: string;
}

/** What a rollback would do. */
export interface Decided {
  /** The version it is at now, as the host tells it. */
  readonly version: string;
  /** Absent where version and values stay. */
  readonly app?: FormerApp;
  readonly restored: readonly RestoredDataset[];
  readonly kept: readonly KeptDataset[];
  /** Why there is no way back; null: there is. */
  readonly impossible: string | null;
}

/** Decides what of a snapshot can be brought back. Throws `TASK_APP_NOT_INSTALLED`. */
export async function decideRollback(
  deps: MethodDeps,
  appId: string,
  frozen: FrozenApp,
  found: Found,
): Promise<Decided> {
  const live = findApp(await deps.host.apps(), appId);
  if (live === null) throw createNotInstalledError(appId);
  const { restored, kept } = await decideDatasets(deps, frozen, live, found);
  const datasets = { version: live.version, restored, kept };
  const { point } = found;
  const nothing = restored.length === 0 ? describeNothing(kept) : null;
  if (point === null) return { ...datasets, impossible: nothing };
  const { version, values, choices } = point;
  const former = { version, from: live.version, values, choices };
  if (live.version !== version) {
    const offered = await deps.host.rollbackVersions(live.name);
    const gone = `the host keeps no version ${version} to go back to from ${live.version}`;
    return { ...datasets, app: former, impossible: offered.includes(version) ? null : gone };
  }
  if (holdsValues(await deps.host.appConfig(live.name), values)) return { ...datasets, impossible: nothing };
  return { ...datasets, app: former, impossible: null };
}

function describeNothing(kept: readonly KeptDataset[]): string {
  const reasons = kept.map(({ paths, reason }) => `"${paths.join('", "')}": ${reason}`);
  return ["version and options are as they were then", ...reasons].join("; ");
}

async function decideDatasets(
  deps: MethodDeps,
  { plan }: FrozenApp,
  live: HostApp,
  { point, snapshots }: Found,
): Promise<Pick<Decided, "restored" | "kept">> {
  const restored: RestoredDataset[] = [];
  const gone = (point?.snapshots ?? []).filter(
    ({ dataset, name }) => !snapshots.some((one) => one.dataset === dataset && one.snapshot.name === name),
  );
  const kept: KeptDataset[] = gone.map(({ paths }) => ({ paths, reason: "the host has its snapshot no more" }));
  if (snapshots.length === 0) return { restored, kept };
  const { host, store } = deps;
  const others = (await host.apps()).filter(({ name }) => name !== live.name);
  const around = {
    locations: Object.values(plan.apps[live.appId]?.locations ?? {}),
    apps: [...(await listAppPaths(host, others)), ...listPlannedPaths(store, live.appId)],
    made: listMadeDirectories(store),
  };
  for (const found of snapshots) {
    if (restored.some(({ dataset }) => dataset === found.dataset)) continue;
    const own = await findOwnPath(deps, found, live.appId, around);
    if ("reason" in own) kept.push({ paths: found.paths, reason: own.reason });
    else restored.push({ ...toRestored(found), path: own.path });
  }
  return { restored, kept };
}

function toRestored({ dataset, snapshot }: FoundSnapshot): Omit<RestoredDataset, "path"> {
  const snapshotId = snapshot.properties["platform:snapshot_id"] ?? "rollback";
  return { dataset, snapshotId, from: { dataset: snapshot.dataset, name: snapshot.name } };
}

/** The path an app's own dataset is mounted at, or why it is not the app's own. */
async function findOwnPath(
  { host }: MethodDeps,
  { dataset, paths }: FoundSnapshot,
  appId: string,
  around: Parameters<typeof explainNotOwn>[2],
): Promise<{ readonly path: string } | { readonly reason: string }> {
  const mountpoint = (await host.dataset(dataset))?.mountpoint ?? null;
  if (mountpoint === null) return { reason: `the host has no dataset "${dataset}" any more` };
  const notOwn = explainNotOwn(mountpoint, appId, around);
  if (notOwn !== null) return { reason: `it lies on the dataset "${dataset}": ${notOwn}` };
  for (const path of [...paths, mountpoint]) {
    if (around.made.get(path) !== appId || (await host.stat(path))?.realpath !== mountpoint) continue;
    const inner = await host.holdsDatasets(dataset);
    return inner ? { reason: `other datasets lie in "${dataset}" and would be put aside with it` } : { path };
  }
  return { reason: `the dataset "${dataset}" was there before the app` };
}
