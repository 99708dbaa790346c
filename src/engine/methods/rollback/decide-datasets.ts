/** Which of an app's datasets go back to what their snapshots hold, and why the others stay as they are. */

import { NO_RENAMES, NO_SNAPSHOT } from "../../effects/files/confirm-restorable.ts";
import { lookAtDeclared } from "../../effects/files/declared-path.ts";
import { findSurroundings } from "../../effects/files/find-surroundings.ts";
import { describeHidden, findHiddenDataset } from "../../effects/files/hidden-dataset.ts";
import { type Around, findNotOwn } from "../../effects/files/own-directories.ts";
import { resolvePath } from "../../look-along.ts";
import type { HostApp } from "../../ports/host-records.ts";
import type { RestoredDataset, StoredApp } from "../../stored-plan.ts";
import type { MethodDeps } from "../deps.ts";
import type { FrozenApp } from "../freeze-installed.ts";
import type { Found, FoundSnapshot } from "./find-snapshots.ts";

/** A dataset that stays as it is. */
export interface KeptDataset {
  /** Host paths the snapshot was taken for. */
  readonly paths: readonly string[];
  readonly reason: string;
}

/** What becomes of them. */
export interface DecidedDatasets {
  readonly restored: readonly RestoredDataset[];
  readonly kept: readonly KeptDataset[];
  /** Why nothing is to go back as long as one of them can't; null: nothing keeps them from it. */
  readonly locked: string | null;
}

/** Decides about the dataset of each snapshot. */
export async function decideDatasets(
  deps: MethodDeps,
  { plan }: FrozenApp,
  live: HostApp,
  { point, snapshots }: Found,
): Promise<DecidedDatasets> {
  const restored: RestoredDataset[] = [];
  const gone = (point?.snapshots ?? []).filter(
    ({ dataset, name }) => !snapshots.some((one) => one.dataset === dataset && one.snapshot.name === name),
  );
  const kept: KeptDataset[] = gone.map(({ paths }) => ({ paths, reason: NO_SNAPSHOT }));
  if (snapshots.length === 0) return { restored, kept, locked: null };
  const { host } = deps;
  if (!(await host.renamesDatasets())) {
    kept.push(...snapshots.map(({ paths }) => ({ paths, reason: NO_RENAMES })));
    return { restored, kept, locked: null };
  }
  const locations = plan.apps[live.appId]?.locations ?? {};
  const app = { appId: live.appId, instance: live.name, locations };
  const around = await findSurroundings(deps, app, await host.apps());
  for (const found of snapshots) {
    if (restored.some(({ dataset }) => dataset === found.dataset)) continue;
    const locked = await findLocked(deps, found, live.appId, locations, around.made);
    if (locked !== null) return { restored, kept, locked };
    const own = await findOwnPath(deps, found, live.appId, around);
    if ("reason" in own) kept.push({ paths: found.paths, reason: own.reason });
    else restored.push({ ...toRestored(found), path: own.path });
  }
  return { restored, kept, locked: null };
}

/** What can't be seen of an app's own dataset, as while that is locked: a person can unlock it, and roll all of it back. */
async function findLocked(
  { host }: MethodDeps,
  { paths }: FoundSnapshot,
  appId: string,
  locations: StoredApp["locations"],
  made: ReadonlyMap<string, string>,
): Promise<string | null> {
  for (const path of paths.filter((one) => made.get(one) === appId)) {
    const hidden = await findHiddenDataset(host, await lookAtDeclared(host, path, locations));
    if (hidden !== null) return `"${path}" can't be restored: ${describeHidden(hidden)}`;
  }
  return null;
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
  around: Around,
): Promise<{ readonly path: string } | { readonly reason: string }> {
  const mountpoint = (await host.dataset(dataset))?.mountpoint ?? null;
  if (mountpoint === null) return { reason: `the host has no dataset "${dataset}" any more` };
  const notOwn = await findNotOwn([mountpoint], appId, around);
  if (notOwn !== null) return { reason: `it lies on the dataset "${dataset}": ${notOwn}` };
  for (const path of [...paths, mountpoint]) {
    if (around.made.get(path) !== appId || (await resolvePath(host.stat, path)) !== mountpoint) continue;
    const inner = await host.holdsDatasets(dataset);
    return inner ? { reason: `other datasets lie in "${dataset}" and would be put aside with it` } : { path };
  }
  return { reason: `the dataset "${dataset}" was there before the app` };
}
