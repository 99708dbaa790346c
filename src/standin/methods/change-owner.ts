/** What the jobs that change owners and permissions share: their lock, what they refuse, whom they reach. */
import { readdirSync } from "node:fs";
import { posix } from "node:path";
import { z } from "zod";
import { ACCOUNTS, GROUPS } from "../accounts.ts";
import { findDataset, locatePath, readOwnership, resolvePath, toMountpoint } from "../files/paths.ts";
import type { Ownership } from "../host-state.ts";
import { HostString } from "../rpc/arguments.ts";
import { createCallError, createInvalidParam } from "../rpc/rpc-error.ts";
import { type HostGeneration, isSince } from "../settings.ts";
import type { World } from "../world.ts";
import { requireAbsolute } from "./filesystem.ts";

/** How a call names an owner: by number or by name. */
export const OwnerFields = {
  path: HostString,
  uid: z.int().nullable().default(null),
  gid: z.int().nullable().default(null),
  user: HostString.nullable().default(null),
  group: HostString.nullable().default(null),
};

/** `filesystem.setacl`, `chown` and `setperm` share one lock; 26.0 has one per path. */
export function nameLock(params: readonly unknown[], generation: HostGeneration): string {
  const [first] = params;
  const path = typeof first === "object" && first !== null && "path" in first ? String(first.path) : "";
  return isSince(generation, "26.0") ? `perm_change_${path}` : "perm_change";
}

/** Where a path whose permissions the host lets a caller change leads: the host follows links. */
export function requireChangeable(world: World, given: string): string {
  const { real: path, local } = resolvePath(world, requireAbsolute(given));
  if (!path.startsWith("/mnt/")) throw createCallError("EPERM", `Changing permissions of ${path} is not permitted`);
  if (local === null) locatePath(world, given);
  if (path.split("/").includes(".zfs"))
    throw createCallError("EPERM", `${path}: path is inside the ZFS control directory`);
  if (path.split("/").length === 3) {
    throw createInvalidParam("filesystem_acl.path", `${path}: changing permissions of a pool root is not permitted`);
  }
  if (findDataset(world.state, path)?.locked === true) {
    throw createCallError("EDATASETISLOCKED", `${path}: path is located on a locked dataset`);
  }
  if (findDataset(world.state, path)?.readonly === true)
    throw createCallError("EPERM", `${path}: dataset is read-only`);
  return path;
}

/** The ids a call asks for; -1 and null leave them unchanged. */
export function readWantedOwner(args: {
  readonly uid: number | null;
  readonly gid: number | null;
  readonly user: string | null;
  readonly group: string | null;
}): { uid: number | null; gid: number | null } {
  if (args.uid !== null && args.user !== null) {
    throw createInvalidParam("filesystem_acl.uid", "User and uid may not be specified simultaneously.");
  }
  if (args.gid !== null && args.group !== null) {
    throw createInvalidParam("filesystem_acl.gid", "Group and gid may not be specified simultaneously.");
  }
  const user = ACCOUNTS.find(({ name }) => name === args.user);
  if (args.user !== null && user === undefined) throw createInvalidParam("filesystem_acl.user", "User does not exist");
  const group = GROUPS.find(({ name }) => name === args.group);
  if (args.group !== null && group === undefined)
    throw createInvalidParam("filesystem_acl.group", "Group does not exist");
  const uid = user?.uid ?? args.uid;
  const gid = group?.gid ?? args.gid;
  return { uid: uid === -1 ? null : uid, gid: gid === -1 ? null : gid };
}

function listBelow(world: World, path: string, traverse: boolean): string[] {
  return readdirSync(locatePath(world, path), { withFileTypes: true }).flatMap((entry) => {
    const child = posix.join(path, entry.name);
    const dataset = Object.keys(world.state.datasets).some((id) => toMountpoint(id) === child);
    if (dataset && !traverse) return [];
    return entry.isDirectory() ? [child, ...listBelow(world, child, traverse)] : [child];
  });
}

/** Changes the modelled ownership of a path, and of what lies below it when asked to. */
export function change(
  world: World,
  path: string,
  options: { readonly recursive: boolean; readonly traverse: boolean },
  apply: (before: Ownership) => Ownership,
): void {
  const paths = options.recursive ? [path, ...listBelow(world, path, options.traverse)] : [path];
  for (const one of paths) world.state.ownership[one] = apply(readOwnership(world.state, one));
  world.commit();
}
