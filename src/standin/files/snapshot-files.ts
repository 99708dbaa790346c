/** What snapshots hold: copies of the dataset's files beside the pool, by the number of their transaction. */
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { join, posix } from "node:path";
import { isAtOrBelow } from "../../core/plan/directory-path.ts";
import type { Ownership, SnapshotRecord } from "../host-state.ts";
import type { World } from "../world.ts";
import { locateMountpoint } from "./mountpoints.ts";
import { toMountpoint } from "./paths.ts";

/** Keeps what a dataset holds now, without the datasets below it; returns how many bytes that is. */
export function keepFiles(world: World, { dataset, createtxg }: Pick<SnapshotRecord, "dataset" | "createtxg">): number {
  const from = locateMountpoint(world.dir, dataset);
  const inner = new Set(listBelow(world, dataset).map((id) => locateMountpoint(world.dir, id)));
  const to = toKept(world, createtxg);
  mkdirSync(to, { recursive: true });
  cpSync(from, to, { recursive: true, verbatimSymlinks: true, filter: (path) => !inner.has(path) });
  return countBytes(to);
}

/** Owners of what a dataset holds, by the path below its mountpoint. */
export function keepOwners(world: World, dataset: string): Record<string, Ownership> {
  const top = toMountpoint(dataset);
  const inner = listBelow(world, dataset).map(toMountpoint);
  const own = Object.entries(world.state.ownership).filter(
    ([path]) => isAtOrBelow(path, top) && !inner.some((mount) => isAtOrBelow(path, mount)),
  );
  return Object.fromEntries(own.map(([path, owned]) => [posix.relative(top, path), owned]));
}

/** Puts what a snapshot holds where a new dataset is mounted. */
export function putFiles(world: World, { createtxg, ownership }: SnapshotRecord, dataset: string): void {
  const top = toMountpoint(dataset);
  const kept = toKept(world, createtxg);
  const mountpoint = locateMountpoint(world.dir, dataset);
  mkdirSync(mountpoint, { recursive: true });
  if (existsSync(kept)) cpSync(kept, mountpoint, { recursive: true, verbatimSymlinks: true });
  for (const [path, owned] of Object.entries(ownership)) world.state.ownership[posix.join(top, path)] = owned;
}

/** Forgets what a snapshot held. */
export function dropFiles(world: World, { createtxg }: Pick<SnapshotRecord, "createtxg">): void {
  rmSync(toKept(world, createtxg), { recursive: true, force: true });
}

/** Forgets what every snapshot held. */
export function dropAllFiles(dir: string): void {
  rmSync(join(dir, "snapshots"), { recursive: true, force: true });
}

/** Every dataset below one. */
export function listBelow({ state }: Pick<World, "state">, dataset: string): string[] {
  return Object.keys(state.datasets).filter((id) => id.startsWith(`${dataset}/`));
}

function toKept({ dir }: Pick<World, "dir">, createtxg: number): string {
  return join(dir, "snapshots", String(createtxg));
}

/** Of what lies in a folder itself: a recursive listing of Node follows links. */
function countBytes(folder: string): number {
  return readdirSync(folder, { withFileTypes: true }).reduce((bytes, entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return bytes + countBytes(path);
    return entry.isFile() ? bytes + statSync(path).size : bytes;
  }, 0);
}
