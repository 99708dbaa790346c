/**
 * Datasets that are locked: not mounted, what they hold out of sight beside the pool, and in the place of their mountpoint an
 * empty directory of the dataset above. What apps that run have open there stays theirs, as after an unmount by force.
 */
import { existsSync, mkdirSync, renameSync, rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { World } from "../world.ts";
import { locateMountpoint } from "./mountpoints.ts";
import { listBelow } from "./snapshot-files.ts";

/** Locks or unlocks a dataset, and with it those below; nothing happens where there is none, or it is as wanted. */
export function setLocked(world: World, id: string, locked: boolean): void {
  const { dir, state, commit } = world;
  const aside = toAside(dir, id);
  if (state.datasets[id] === undefined || existsSync(aside) === locked) return;
  const mountpoint = locateMountpoint(dir, id);
  if (locked) {
    mkdirSync(join(dir, "locked"), { recursive: true });
    renameSync(mountpoint, aside);
    mkdirSync(mountpoint);
  } else {
    rmdirSync(mountpoint);
    renameSync(aside, mountpoint);
  }
  for (const name of [id, ...listBelow(world, id)]) {
    const dataset = state.datasets[name];
    if (dataset !== undefined) dataset.locked = locked || existsSync(toAside(dir, name));
  }
  commit();
}

/** Forgets what locked datasets hold. */
export function dropLocked(dir: string): void {
  rmSync(join(dir, "locked"), { recursive: true, force: true });
}

function toAside(dir: string, id: string): string {
  return join(dir, "locked", encodeURIComponent(id));
}
