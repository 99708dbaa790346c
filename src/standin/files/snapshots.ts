import type { SnapshotRecord } from "../host-state.ts";
import { createCallError, createInvalidParam } from "../rpc/rpc-error.ts";
import { isSince } from "../settings.ts";
import type { World } from "../world.ts";
import { keepFiles, keepOwners } from "./snapshot-files.ts";

/** Characters of a dataset and a snapshot name together. */
const NAME_LIMIT = 256;

/** Adds a snapshot; the host checks its name, its metadata keys and that it is new. */
export function addSnapshot(
  world: World,
  wanted: Pick<SnapshotRecord, "dataset" | "name" | "properties">,
): SnapshotRecord {
  const { dataset, name, properties } = wanted;
  if (world.state.datasets[dataset] === undefined) {
    throw createInvalidParam("snapshot_create.dataset", `Dataset ${dataset} does not exist`, "ENOENT");
  }
  if (!/^[A-Za-z0-9_.: -]+$/.test(name) || `${dataset}@${name}`.length >= NAME_LIMIT) {
    throw createInvalidParam("snapshot_create.name", "Invalid snapshot name");
  }
  for (const key of Object.keys(properties)) {
    if (!/^[a-z0-9_.-]+:[a-z0-9_.:-]+$/.test(key)) {
      throw createInvalidParam(`snapshot_create.properties.${key}`, "Property key must be lower case and hold a colon");
    }
  }
  if (world.state.snapshots.some((one) => one.dataset === dataset && one.name === name)) {
    const text = `Snapshot ${dataset}@${name} already exists`;
    throw isSince(world.generation, "26.0")
      ? createInvalidParam("snapshot_create.name", text, "EEXIST")
      : createCallError("EEXIST", text);
  }
  const createtxg = world.state.nextTransaction;
  world.state.nextTransaction += 1;
  const bytes = keepFiles(world, { dataset, createtxg });
  const snapshot = { dataset, name, properties, createtxg, bytes, ownership: keepOwners(world, dataset) };
  world.state.snapshots.push(snapshot);
  return snapshot;
}

/** The snapshot an upgrade takes of the app's own volumes; their dataset is hidden from queries, its snapshots are not. */
export function addVolumeSnapshot(world: World, app: string, version: string): void {
  const dataset = toVolumes(app);
  world.state.snapshots = world.state.snapshots.filter((one) => one.dataset !== dataset || one.name !== version);
  const empty = { properties: {}, bytes: 0, ownership: {} };
  world.state.snapshots.push({ dataset, name: version, createtxg: world.state.nextTransaction, ...empty });
  world.state.nextTransaction += 1;
}

/** Removes the snapshots of an app's own volumes, which go with them. */
export function dropVolumeSnapshots(world: World, app: string): void {
  world.state.snapshots = world.state.snapshots.filter(({ dataset }) => dataset !== toVolumes(app));
  world.commit();
}

function toVolumes(app: string): string {
  return `tank/ix-apps/app_mounts/${app}`;
}
