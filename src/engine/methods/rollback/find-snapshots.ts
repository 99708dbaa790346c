/** What an app can be rolled back to: the points its tasks have noted, and the snapshots of it the host has. */

import { readTimestamp } from "../../effects/app/dataset-snapshot.ts";
import { HostError } from "../../host-error.ts";
import type { HostSnapshot } from "../../ports/host-records.ts";
import { type RestorePoint, readRestorePoints, readSetAside } from "../../vault/restore-points.ts";
import type { MethodDeps } from "../deps.ts";
import type { FrozenApp } from "../freeze-installed.ts";

/** A snapshot on the host of what `dataset` held. */
export interface FoundSnapshot {
  /** The dataset it was taken of, as it is named today. */
  readonly dataset: string;
  readonly snapshot: HostSnapshot;
  readonly paths: readonly string[];
}

/** Something to roll back to. */
export interface Found {
  readonly id: string;
  readonly purpose: string;
  /** UTC ms. */
  readonly at: number;
  /** null: nothing but the snapshot is known. */
  readonly point: RestorePoint | null;
  /** Those the host still has. */
  readonly snapshots: readonly FoundSnapshot[];
}

/** Finds all of it, the newest first. */
export async function findSnapshots(deps: MethodDeps, appId: string, frozen: FrozenApp): Promise<readonly Found[]> {
  const points = readRestorePoints(deps.store, appId);
  const taken = await listTaken(deps, appId, await listDatasets(deps, appId, frozen, points));
  const noted = points.map(({ id, purpose, at, ...point }): Found => {
    const own = point.snapshots.flatMap(({ dataset, name, paths }) => {
      const found = taken.find((one) => one.dataset === dataset && one.snapshot.name === name);
      return found === undefined ? [] : [{ ...found, paths }];
    });
    return { id, purpose, at, point: { id, purpose, at, ...point }, snapshots: own };
  });
  const covered = new Set(noted.flatMap(({ snapshots }) => snapshots.map(({ snapshot }) => toName(snapshot))));
  const others = taken.flatMap((found): Found[] => {
    const { snapshot } = found;
    const at = readTimestamp(snapshot.name);
    if (at === null || covered.has(toName(snapshot))) return [];
    const purpose = snapshot.properties["platform:purpose"] ?? "";
    return [{ id: toName(snapshot), purpose, at, point: null, snapshots: [found] }];
  });
  return [...noted, ...others].toSorted((a, b) => b.at - a.at);
}

/** `dataset@name`. */
export function toName({ dataset, name }: Pick<HostSnapshot, "dataset" | "name">): string {
  return `${dataset}@${name}`;
}

/** The engine's snapshots of an app, of each dataset and of those that were put aside for it. */
async function listTaken(
  { host, store }: MethodDeps,
  appId: string,
  datasets: ReadonlySet<string>,
): Promise<readonly FoundSnapshot[]> {
  const aside = readSetAside(store, appId);
  const found: FoundSnapshot[] = [];
  for (const dataset of datasets) {
    for (const holder of [dataset, ...(aside[dataset] ?? [])]) {
      const named = (await host.snapshotNames(holder)).filter((name) => name.startsWith(`platform-app-${appId}-`));
      for (const snapshot of await host.snapshots(holder, named)) {
        if (snapshot.properties["platform:app"] !== appId) continue;
        found.push({ dataset, snapshot, paths: (snapshot.properties["platform:path"] ?? "").split(",") });
      }
    }
  }
  return found;
}

/** The datasets of the paths the app declares, and those its points name. */
async function listDatasets(
  { host }: MethodDeps,
  appId: string,
  { plan }: FrozenApp,
  points: readonly RestorePoint[],
): Promise<ReadonlySet<string>> {
  const datasets = new Set(points.flatMap(({ snapshots }) => snapshots.map(({ dataset }) => dataset)));
  for (const { path, root } of plan.apps[appId]?.directories ?? []) {
    if (root) continue;
    try {
      datasets.add((await host.datasetOf(path)).dataset);
    } catch (error) {
      // It is not there: nothing was taken of it.
      if (!(error instanceof HostError && error.code === "HOST_NOT_FOUND")) throw error;
    }
  }
  return datasets;
}
