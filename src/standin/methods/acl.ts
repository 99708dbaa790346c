import { posix } from "node:path";
import { z } from "zod";
import type { Json, JsonObject } from "../../core/json/json.ts";
import { findGroupName, findUserName } from "../accounts.ts";
import { AclEntry, buildTrivialAcl, isPosixEntry, toEntryJson } from "../files/acl.ts";
import { findBlocked } from "../files/passage.ts";
import { findDataset, readOwnership } from "../files/paths.ts";
import { HostString } from "../rpc/arguments.ts";
import { defineDirect, defineJob, type Method } from "../rpc/method.ts";
import { createCallError, createInvalidParam, createUnexpectedError } from "../rpc/rpc-error.ts";
import { isSince } from "../settings.ts";
import type { World } from "../world.ts";
import { change, nameLock, OwnerFields, readWantedOwner, requireChangeable } from "./change-owner.ts";
import { requireExisting } from "./filesystem.ts";

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

/** Every account an ACL gives rights to needs execute on all parents, the new owner and group among them. */
function requirePassage(
  world: World,
  path: string,
  dacl: readonly AclEntry[],
  acltype: "NFS4" | "POSIX1E",
  owner: ReturnType<typeof readWantedOwner>,
): void {
  const { uid, gid } = readOwnership(world.state, path);
  const text = findBlocked(world.state, path, dacl, { uid: owner.uid ?? uid, gid: owner.gid ?? gid });
  if (text === null) return;
  throw acltype === "NFS4" ? createCallError("EPERM", text) : createInvalidParam("filesystem_acl.path", text);
}

function toNormal(path: string): string {
  return posix.normalize(path).replace(/(?<=.)\/$/, "");
}

function readAclType(world: World, path: string): "NFS4" | "POSIX1E" | "DISABLED" {
  const acltype = findDataset(world.state, path)?.acltype;
  if (acltype === "NFSV4") return "NFS4";
  return acltype === "POSIX" ? "POSIX1E" : "DISABLED";
}

/** Names of accounts are not resolved. */
function addName(entry: JsonObject): JsonObject {
  return { ...entry, who: null };
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
    acl: acltype === "DISABLED" ? null : (owner.acl ?? buildTrivialAcl(acltype, owner.mode)).map(addName),
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
    run: (world, [given]) => viewAcl(world, requireExisting(world, given).real),
  }),
  defineJob({
    name: "filesystem.setacl",
    names: ["filesystem_acl"],
    params: z.tuple([SetAcl]),
    lock: nameLock,
    run: async (world, [args], handle): Promise<Json> => {
      handle.progress(0, "Preparing to set acl.");
      const path = requireChangeable(world, args.path);
      // From 26.0 on the path is opened with RESOLVE_NO_SYMLINKS.
      if (isSince(world.generation, "26.0") && path !== toNormal(args.path))
        throw createUnexpectedError("OSError", `[Errno 40] Too many levels of symbolic links: '${args.path}'`);
      const acltype = readAclType(world, path);
      if (acltype === "DISABLED") throw createCallError("EOPNOTSUPP", `${path}: ACLs are disabled at dataset level.`);
      if (args.acltype !== null && args.acltype !== acltype) {
        throw createInvalidParam("filesystem_acl.acltype", `ACL type is invalid for path: ${path} has ${acltype}`);
      }
      if (args.dacl.some((entry) => isPosixEntry(entry) !== (acltype === "POSIX1E"))) {
        throw createInvalidParam("filesystem_acl.dacl", `ACL entries are not of type ${acltype}`);
      }
      const owner = readWantedOwner(args);
      if (args.options.validate_effective_acl) requirePassage(world, path, args.dacl, acltype, owner);
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
