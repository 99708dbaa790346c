import { existsSync, realpathSync, statSync } from "node:fs";
import { join, posix } from "node:path";
import type { DatasetRecord, HostState, Ownership } from "../host-state.ts";

/** Where a host path lies on this machine: `/mnt/tank/x` at `DIR/mnt/tank/x`. */
export function toLocalPath(dir: string, hostPath: string): string {
  return join(dir, posix.normalize(hostPath));
}

/** Whether a host path exists. */
export function doesPathExist(dir: string, hostPath: string): boolean {
  return existsSync(toLocalPath(dir, hostPath));
}

/** Why nothing is found at a host path; null: it exists. */
export function findPathFault(dir: string, hostPath: string): "ENOENT" | "ENOTDIR" | "ELOOP" | null {
  try {
    statSync(toLocalPath(dir, hostPath));
    return null;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    return code === "ENOTDIR" || code === "ELOOP" ? code : "ENOENT";
  }
}

/** A host path with symlinks resolved; one that leads out of the directory resolves to itself. */
export function resolveRealPath(dir: string, hostPath: string): string {
  const real = realpathSync(toLocalPath(dir, hostPath));
  const root = realpathSync(dir);
  return real.startsWith(`${root}/`) ? real.slice(root.length) : posix.normalize(hostPath);
}

/** Where a dataset is mounted. */
export function toMountpoint(dataset: string): string {
  return `/mnt/${dataset}`;
}

/** A host path with symlinks resolved as far as it exists. */
export function resolveExistingPath(dir: string, hostPath: string): string {
  const path = posix.normalize(hostPath);
  if (path === "/" || doesPathExist(dir, path)) return path === "/" ? path : resolveRealPath(dir, path);
  return posix.join(resolveExistingPath(dir, posix.dirname(path)), posix.basename(path));
}

/** The dataset a path whose symlinks are resolved belongs to, mounted or not, if it is on a pool at all. */
export function findDataset(state: Pick<HostState, "datasets">, hostPath: string): DatasetRecord | undefined {
  return findHolder(Object.values(state.datasets), hostPath);
}

/** The dataset that shows such a path: one that is locked is not mounted, and the one above it shows its mountpoint. */
export function findMounted(state: Pick<HostState, "datasets">, hostPath: string): DatasetRecord | undefined {
  return findHolder(
    Object.values(state.datasets).filter(({ locked }) => !locked),
    hostPath,
  );
}

function findHolder(datasets: readonly DatasetRecord[], hostPath: string): DatasetRecord | undefined {
  const path = posix.normalize(hostPath);
  let best: DatasetRecord | undefined;
  for (const dataset of datasets) {
    const mount = toMountpoint(dataset.id);
    if ((path === mount || path.startsWith(`${mount}/`)) && dataset.id.length > (best?.id.length ?? -1)) best = dataset;
  }
  return best;
}

/** Owner, mode and ACL of a path; those of a locked dataset's own directory are not seen. */
export function readOwnership(state: HostState, hostPath: string): Ownership {
  const path = posix.normalize(hostPath);
  const isHidden = Object.values(state.datasets).some(({ id, locked }) => locked && toMountpoint(id) === path);
  return (isHidden ? undefined : state.ownership[path]) ?? { uid: 0, gid: 0, mode: 0o755, acl: null };
}
