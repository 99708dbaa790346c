/**
 * Host paths on this machine: `/mnt/tank/x` lies at `DIR/mnt/tank/x`.
 *
 * Invariant: no method of the API touches anything outside DIR. Links are followed as the host follows them, whose root DIR
 * is, one component after another; what they lead to outside `/mnt` is not there. A dataset that ignores case finds a name in
 * any case, as on the host.
 */
import { lstatSync, readdirSync, readlinkSync, type Stats } from "node:fs";
import { join, posix } from "node:path";
import { isAtOrBelow } from "../../core/plan/directory-path.ts";
import type { DatasetRecord, HostState, Ownership } from "../host-state.ts";
import { createCallError, createUnexpectedError, type RpcError } from "../rpc/rpc-error.ts";

/** Most links followed on one way, as in the kernel. */
const LINKS = 40;

/** A state directory, and what is known of the datasets in it. */
export interface HostFiles {
  readonly dir: string;
  readonly state: Pick<HostState, "datasets">;
}

/** Where a host path leads. */
export interface ResolvedPath {
  /** The host path with all links resolved, and in the case of the names on disk, as far as it exists. */
  readonly real: string;
  /** The same on this machine, free of links; null: nothing is there, or it is not below `/mnt`. */
  readonly local: string | null;
  /** Why nothing is there: a part is missing, is below a file, or links lead to each other. */
  readonly fault: "ENOENT" | "ENOTDIR" | "ELOOP" | null;
}

/** Follows every link of a host path. */
export function resolvePath(files: HostFiles, hostPath: string): ResolvedPath {
  const { dir } = files;
  const todo = posix.normalize(hostPath).split("/").reverse();
  let here = "/";
  let above: Stats | null = null;
  let fault: ResolvedPath["fault"] = null;
  let links = 0;
  for (let name = todo.pop(); name !== undefined; name = todo.pop()) {
    const next = posix.join(here, fault === null ? findSpelling(files, here, name) : name);
    const found: Stats | null = fault === null ? lookAt(join(dir, next)) : null;
    if (found === null) fault ??= above?.isDirectory() === false ? "ENOTDIR" : "ENOENT";
    if (found?.isSymbolicLink() !== true) {
      [here, above] = [next, found];
      continue;
    }
    links += 1;
    if (links > LINKS) return { real: posix.normalize(hostPath), local: null, fault: "ELOOP" };
    const target = readlinkSync(join(dir, next));
    if (target.startsWith("/")) [here, above] = ["/", null];
    todo.push(...target.split("/").reverse());
  }
  const isKnown = here === "/" || isAtOrBelow(here, "/mnt");
  if (fault === null && !isKnown) fault = "ENOENT";
  return { real: here, local: fault === null ? join(dir, here) : null, fault };
}

/** A name as the directory has it: in another case where its dataset ignores case; the name itself where nothing has it. */
function findSpelling({ dir, state }: HostFiles, directory: string, name: string): string {
  if (findMounted(state, directory)?.casesensitivity !== "INSENSITIVE") return name;
  if (lookAt(join(dir, directory, name)) !== null) return name;
  if (lookAt(join(dir, directory))?.isDirectory() !== true) return name;
  return readdirSync(join(dir, directory)).find((one) => one.toLowerCase() === name.toLowerCase()) ?? name;
}

/** Where the last name of a host path stands on this machine, the links before it followed; null: its parent is not there. */
export function locateEntry(files: HostFiles, hostPath: string): string | null {
  const path = posix.normalize(hostPath);
  if (path === "/") return files.dir;
  const { real, local } = resolvePath(files, posix.dirname(path));
  return local === null ? null : join(local, findSpelling(files, real, posix.basename(path)));
}

/** Where a host path lies on this machine. Throws the host's error when it leads out of `/mnt`, or to nothing. */
export function locatePath(files: HostFiles, hostPath: string): string {
  const { real, local, fault } = resolvePath(files, hostPath);
  if (local !== null) return local;
  if (leadsOut(hostPath, real)) throw createCallError("EPERM", `${hostPath}: path not permitted`);
  throw describeFault(hostPath, fault);
}

/** Below a file, and for links that lead to each other, the host answers with Python's own errors. */
function describeFault(path: string, fault: ResolvedPath["fault"]): RpcError {
  switch (fault) {
    case "ELOOP":
      return createUnexpectedError("OSError", `[Errno 40] Too many levels of symbolic links: '${path}'`);
    case "ENOTDIR":
      return createUnexpectedError("NotADirectoryError", `[Errno 20] Not a directory: '${path}'`);
    default:
      return createCallError("ENOENT", `Path ${path} not found`);
  }
}

/** Whether it is a link that takes a path below `/mnt` out of it. */
export function leadsOut(hostPath: string, real: string): boolean {
  return isAtOrBelow(posix.normalize(hostPath), "/mnt") && !isAtOrBelow(real, "/mnt");
}

/** A host path on this machine without a look at its links: for tests, which put files and links there. */
export function joinLocalPath(dir: string, hostPath: string): string {
  return join(dir, posix.normalize(hostPath));
}

/** The facts of an entry, of a link its own; null: nothing is there. */
export function lookAt(path: string): Stats | null {
  try {
    return lstatSync(path);
  } catch {
    return null;
  }
}

/** Where a dataset is mounted. */
export function toMountpoint(dataset: string): string {
  return `/mnt/${dataset}`;
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
