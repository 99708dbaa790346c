import { readdirSync } from "node:fs";
import { posix } from "node:path";
import { z } from "zod";
import type { Json, JsonObject } from "../../core/json/json.ts";
import { ACCOUNTS, findGroupName, findUserName, GROUPS } from "../accounts.ts";
import { AclEntry, buildTrivialAcl, isPosixEntry, mayPass, toEntryJson } from "../files/acl.ts";
import { findDataset, readOwnership, resolveRealPath, toLocalPath, toMountpoint } from "../files/paths.ts";
import type { Ownership } from "../host-state.ts";
import { HostString } from "../rpc/arguments.ts";
import { defineDirect, defineJob, type Method } from "../rpc/method.ts";
import { createCallError, createInvalidParam } from "../rpc/rpc-error.ts";
import type { World } from "../world.ts";
import { requireExisting } from "./filesystem.ts";

const OwnerFields = {
  path: HostString,
  uid: z.int().nullable().default(null),
  gid: z.int().nullable().default(null),
  user: HostString.nullable().default(null),
  group: HostString.nullable().default(null),
};

const SetAcl = z.strictObject({
  ...OwnerFields,
  dacl: z.array(AclEntry),
  acltype: z.enum(["NFS4", "POSIX1E", "DISABLED"]).nullable().default(null),
  nfs41_flags: z.record(z.string(), z.boolean()).exactOptional(),
  options: z
    .strictObject({
      stripacl: z.boolean().default(false),
      recursive: z.boolean().default(false),
      traverse: z.boolean().default(false),
      canonicalize: z.boolean().default(true),
      validate_effective_acl: z.boolean().default(true),
    })
    .prefault({}),
});

const Chown = z.strictObject({
  ...OwnerFields,
  options: z.strictObject({ recursive: z.boolean().default(false), traverse: z.boolean().default(false) }).prefault({}),
});

const SetPerm = z.strictObject({
  ...OwnerFields,
  mode: z
    .string()
    .regex(/^[0-7]{3}$/)
    .nullable()
    .default(null),
  options: z
    .strictObject({
      stripacl: z.boolean().default(false),
      recursive: z.boolean().default(false),
      traverse: z.boolean().default(false),
    })
    .prefault({}),
});

/** `filesystem.setacl`, `chown` and `setperm` share one lock; 26.0 has one per path. */
function nameLock(params: readonly unknown[], generation: string): string {
  const [first] = params;
  const path = typeof first === "object" && first !== null && "path" in first ? String(first.path) : "";
  return generation === "26.0" ? `perm_change_${path}` : "perm_change";
}

/** Where a path whose permissions the host lets a caller change leads: the host follows links. */
function requireChangeable(world: World, given: string): string {
  const path = resolveRealPath(world.dir, requireExisting(world, given));
  if (!path.startsWith("/mnt/")) throw createCallError("EPERM", `Changing permissions of ${path} is not permitted`);
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

/** Every account an ACL names needs execute on all parents, else it could not use what it is given. */
function requirePassage(world: World, path: string, dacl: readonly AclEntry[], acltype: "NFS4" | "POSIX1E"): void {
  for (let parent = posix.dirname(path); parent.split("/").length > 2; parent = posix.dirname(parent)) {
    const blocked = dacl.find((entry) => !mayPass(entry, readOwnership(world.state, parent)));
    if (blocked === undefined) continue;
    const text = `Filesystem ACL on parent path "${parent}" lacks execute permission for ${blocked.tag} ${blocked.id}`;
    throw acltype === "NFS4" ? createCallError("EPERM", text) : createInvalidParam("filesystem_acl.path", text);
  }
}

/** The ids a call asks for; -1 and null leave them unchanged. */
function readWantedOwner(args: {
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
  return readdirSync(toLocalPath(world.dir, path), { withFileTypes: true }).flatMap((entry) => {
    const child = posix.join(path, entry.name);
    const dataset = Object.keys(world.state.datasets).some((id) => toMountpoint(id) === child);
    if (dataset && !traverse) return [];
    return entry.isDirectory() ? [child, ...listBelow(world, child, traverse)] : [child];
  });
}

/** Changes the modelled ownership of a path, and of what lies below it when asked to. */
function change(
  world: World,
  path: string,
  options: { readonly recursive: boolean; readonly traverse: boolean },
  apply: (before: Ownership) => Ownership,
): void {
  const paths = options.recursive ? [path, ...listBelow(world, path, options.traverse)] : [path];
  for (const one of paths) world.state.ownership[one] = apply(readOwnership(world.state, one));
  world.commit();
}

function readAclType(world: World, path: string): "NFS4" | "POSIX1E" | "DISABLED" {
  const acltype = findDataset(world.state, path)?.acltype;
  if (acltype === "NFSV4") return "NFS4";
  return acltype === "POSIX" ? "POSIX1E" : "DISABLED";
}

function viewAcl(world: World, path: string): JsonObject {
  const owner = readOwnership(world.state, path);
  const acltype = readAclType(world, path);
  return {
    path,
    user: findUserName(owner.uid),
    group: findGroupName(owner.gid),
    uid: owner.uid,
    gid: owner.gid,
    acltype,
    acl: acltype === "DISABLED" ? null : (owner.acl ?? buildTrivialAcl(acltype, owner.mode)),
    trivial: owner.acl === null,
    ...(acltype === "NFS4" && { aclflags: { autoinherit: false, protected: false, defaulted: false } }),
  };
}

/** Owners and ACLs (docs/host-api.md, section 7). */
export const ACL_METHODS: readonly Method[] = [
  defineDirect({
    name: "filesystem.getacl",
    names: ["path", "simplified", "resolve_ids"],
    params: z.tuple([HostString, z.boolean().default(true), z.boolean().default(false)]),
    run: (world, [given]) => viewAcl(world, resolveRealPath(world.dir, requireExisting(world, given))),
  }),
  defineJob({
    name: "filesystem.setacl",
    names: ["filesystem_acl"],
    params: z.tuple([SetAcl]),
    lock: nameLock,
    run: async (world, [args], handle): Promise<Json> => {
      handle.progress(0, "Preparing to set acl.");
      const path = requireChangeable(world, args.path);
      const acltype = readAclType(world, path);
      if (acltype === "DISABLED") throw createCallError("EOPNOTSUPP", `${path}: ACLs are disabled at dataset level.`);
      if (args.acltype !== null && args.acltype !== acltype) {
        throw createInvalidParam("filesystem_acl.acltype", `ACL type is invalid for path: ${path} has ${acltype}`);
      }
      if (args.dacl.some((entry) => isPosixEntry(entry) !== (acltype === "POSIX1E"))) {
        throw createInvalidParam("filesystem_acl.dacl", `ACL entries are not of type ${acltype}`);
      }
      const owner = readWantedOwner(args);
      if (args.options.validate_effective_acl) requirePassage(world, path, args.dacl, acltype);
      await world.pace(20, handle.signal);
      handle.progress(50, "Setting acl.");
      await world.pace(20, handle.signal);
      const acl = args.options.stripacl ? null : args.dacl.map(toEntryJson);
      change(world, path, args.options, (before) => ({
        uid: owner.uid ?? before.uid,
        gid: owner.gid ?? before.gid,
        mode: args.options.stripacl ? before.mode : 0o770,
        acl,
      }));
      handle.progress(100, "Finished setting acl.");
      return viewAcl(world, path);
    },
  }),
  defineJob({
    name: "filesystem.chown",
    names: ["filesystem_chown"],
    params: z.tuple([Chown]),
    lock: nameLock,
    run: async (world, [args], handle) => {
      handle.progress(0, "Preparing to change owner.");
      const path = requireChangeable(world, args.path);
      const owner = readWantedOwner(args);
      if (owner.uid === null && owner.gid === null) {
        throw createInvalidParam("filesystem_chown.uid", "Please specify either user or group to change.");
      }
      await world.pace(40, handle.signal);
      change(world, path, args.options, (before) => ({
        ...before,
        uid: owner.uid ?? before.uid,
        gid: owner.gid ?? before.gid,
      }));
      handle.progress(100, "Finished changing owner.");
      return null;
    },
  }),
  defineJob({
    name: "filesystem.setperm",
    names: ["filesystem_setperm"],
    params: z.tuple([SetPerm]),
    lock: nameLock,
    run: async (world, [args], handle) => {
      handle.progress(0, "Preparing to set permissions.");
      const path = requireChangeable(world, args.path);
      const owner = readWantedOwner(args);
      const { mode } = args;
      if (mode !== null && readOwnership(world.state, path).acl !== null && !args.options.stripacl) {
        throw createInvalidParam("filesystem_setperm.mode", "POSIX permissions cannot be set on a path with an ACL");
      }
      await world.pace(40, handle.signal);
      change(world, path, args.options, (before) => ({
        uid: owner.uid ?? before.uid,
        gid: owner.gid ?? before.gid,
        mode: mode === null ? before.mode : Number.parseInt(mode, 8),
        acl: args.options.stripacl ? null : before.acl,
      }));
      handle.progress(100, "Finished setting permissions.");
      return null;
    },
  }),
];
