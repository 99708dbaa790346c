/** What a host makes of a new dataset: inherited and preset properties, its directory, the preset's ACL. */
import { mkdirSync } from "node:fs";
import { posix } from "node:path";
import { z } from "zod";
import { type AclEntry, toEntryJson } from "../files/acl.ts";
import { locateMountpoint } from "../files/mountpoints.ts";
import { findBlocked } from "../files/passage.ts";
import { lookAt, resolvePath, toMountpoint } from "../files/paths.ts";
import type { DatasetRecord } from "../host-state.ts";
import { HostString } from "../rpc/arguments.ts";
import { createInvalidParam } from "../rpc/rpc-error.ts";
import type { World } from "../world.ts";

/** ACL types a call may ask for. */
export const AclType = z.enum(["OFF", "NFSV4", "POSIX", "INHERIT"]);
/** ACL modes a call may ask for. */
export const AclMode = z.enum(["PASSTHROUGH", "RESTRICTED", "DISCARD", "INHERIT"]);

/** Arguments of `pool.dataset.create`. */
export const Create = z.strictObject({
  name: HostString,
  type: z.literal("FILESYSTEM").default("FILESYSTEM"),
  share_type: z.enum(["GENERIC", "MULTIPROTOCOL", "NFS", "SMB", "APPS"]).default("GENERIC"),
  acltype: AclType.exactOptional(),
  aclmode: AclMode.exactOptional(),
  casesensitivity: z.enum(["SENSITIVE", "INSENSITIVE", "INHERIT"]).default("INHERIT"),
  atime: z.enum(["ON", "OFF", "INHERIT"]).default("INHERIT"),
  create_ancestors: z.boolean().default(false),
  user_properties: z.array(z.strictObject({ key: HostString, value: HostString })).default([]),
  comments: z.string().default(""),
  readonly: z.enum(["ON", "OFF", "INHERIT"]).default("INHERIT"),
});

type Preset = Pick<DatasetRecord, "acltype" | "aclmode" | "casesensitivity" | "atime">;

const FOR_APPS: Preset = { acltype: "NFSV4", aclmode: "PASSTHROUGH", casesensitivity: "SENSITIVE", atime: "OFF" };

/** Properties a share type presets; GENERIC inherits its parent's. */
const PRESETS: Readonly<Record<string, Partial<Preset>>> = {
  SMB: { acltype: "NFSV4", aclmode: "RESTRICTED", casesensitivity: "INSENSITIVE" },
  APPS: FOR_APPS,
  MULTIPROTOCOL: FOR_APPS,
  NFS: FOR_APPS,
};

/** Account of the apps, which the APPS preset grants MODIFY. */
const APPS_UID = 568;
const BUILTIN_ADMINISTRATORS = 544;
const BUILTIN_USERS = 545;

/** Makes a dataset and its directory, with its ancestors where asked for. Throws the call's error. */
export function createDataset(world: World, args: z.output<typeof Create>): DatasetRecord {
  const { name } = args;
  const field = "pool_dataset_create.name";
  refuseName(world, name, field);
  const parentName = posix.dirname(name);
  const path = toMountpoint(name);
  const { datasets } = world.state;
  if (datasets[parentName] === undefined && args.create_ancestors) {
    createDataset(world, { ...args, name: parentName, user_properties: [] });
  }
  const parent = requireFreeDataset(world, name, field);
  const preset: Preset = { ...parent, ...PRESETS[args.share_type] };
  const acltype = args.acltype === undefined || args.acltype === "INHERIT" ? preset.acltype : args.acltype;
  const inherited = acltype === preset.acltype ? preset.aclmode : acltype === "NFSV4" ? "PASSTHROUGH" : "DISCARD";
  const aclmode = args.aclmode === undefined || args.aclmode === "INHERIT" ? inherited : args.aclmode;
  refuseWrongMode("pool_dataset_create.aclmode", acltype, aclmode);
  const dataset: DatasetRecord = {
    id: name,
    acltype,
    aclmode,
    casesensitivity: args.casesensitivity === "INHERIT" ? preset.casesensitivity : args.casesensitivity,
    atime: args.atime === "INHERIT" ? preset.atime : args.atime,
    readonly: args.readonly === "ON",
    locked: false,
    comments: args.comments,
    user_properties: Object.fromEntries(args.user_properties.map(({ key, value }) => [key, value])),
  };
  const acl = buildPresetAcl(args.share_type);
  const blocked = args.share_type === "APPS" ? findBlocked(world.state, path, acl, { uid: 0, gid: 0 }) : null;
  if (blocked !== null) throw createInvalidParam("pool_dataset_create.share_type", blocked);
  mkdirSync(locateMountpoint(world.dir, name));
  datasets[name] = dataset;
  if (acl.length > 0) world.state.ownership[path] = { uid: 0, gid: 0, mode: 0o770, acl: acl.map(toEntryJson) };
  return dataset;
}

/** `NFS4_RESTRICTED` with the built-in groups, and for APPS the apps' account; empty where no ACL is preset. */
function buildPresetAcl(shareType: string): AclEntry[] {
  if (shareType !== "SMB" && shareType !== "APPS") return [];
  const buildEntry = (tag: "owner@" | "group@" | "USER" | "GROUP", id: number, basic: "FULL_CONTROL" | "MODIFY") => ({
    tag,
    id,
    type: "ALLOW" as const,
    perms: { BASIC: basic },
    flags: { BASIC: "INHERIT" as const },
  });
  return [
    buildEntry("owner@", -1, "FULL_CONTROL"),
    buildEntry("group@", -1, "MODIFY"),
    buildEntry("GROUP", BUILTIN_USERS, "MODIFY"),
    buildEntry("GROUP", BUILTIN_ADMINISTRATORS, "FULL_CONTROL"),
    ...(shareType === "APPS" ? [buildEntry("USER", APPS_UID, "MODIFY")] : []),
  ];
}

/** Throws where an ACL mode does not go with the type. */
export function refuseWrongMode(attribute: string, acltype: string, aclmode: string): void {
  if (acltype !== "NFSV4" && aclmode !== "DISCARD") {
    throw createInvalidParam(attribute, "Must be set to DISCARD when acltype is POSIX or OFF");
  }
}

/** The parent of a dataset that is to be; throws where its name is taken or can't be one, or its parent is missing. */
export function requireFreeDataset(world: World, name: string, field: string): DatasetRecord {
  refuseName(world, name, field);
  const parent = world.state.datasets[posix.dirname(name)];
  if (parent !== undefined) return parent;
  throw createInvalidParam(field, `Parent dataset ${posix.dirname(name)} does not exist`, "ENOENT");
}

function refuseName(world: World, name: string, field: string): void {
  if (!/^[A-Za-z0-9][A-Za-z0-9 _.:-]*(\/[A-Za-z0-9][A-Za-z0-9 _.:-]*)+$/.test(name)) {
    throw createInvalidParam(field, "Invalid dataset name");
  }
  const path = toMountpoint(name);
  if (lookAt(locateMountpoint(world.dir, name)) !== null || resolvePath(world, path).local !== null)
    throw createInvalidParam(field, `Path ${path} already exists`);
}
