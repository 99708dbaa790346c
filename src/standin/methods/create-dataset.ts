/** What a host makes of a new dataset: inherited and preset ACL properties, its directory, the apps' entries. */
import { mkdirSync } from "node:fs";
import { posix } from "node:path";
import { z } from "zod";
import type { JsonObject } from "../../core/json/json.ts";
import { doesPathExist, toLocalPath, toMountpoint } from "../files/paths.ts";
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
  create_ancestors: z.boolean().default(false),
  user_properties: z.array(z.strictObject({ key: HostString, value: HostString })).default([]),
  comments: z.string().default(""),
  readonly: z.enum(["ON", "OFF", "INHERIT"]).default("INHERIT"),
});

/** ACL properties a share type presets; GENERIC inherits its parent's. */
export const PRESETS: Readonly<Record<string, Pick<DatasetRecord, "acltype" | "aclmode">>> = {
  SMB: { acltype: "NFSV4", aclmode: "RESTRICTED" },
  APPS: { acltype: "NFSV4", aclmode: "PASSTHROUGH" },
  MULTIPROTOCOL: { acltype: "NFSV4", aclmode: "PASSTHROUGH" },
  NFS: { acltype: "NFSV4", aclmode: "PASSTHROUGH" },
};

/** Account of the apps, which the APPS preset grants MODIFY. */
const APPS_UID = 568;

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
  const preset = PRESETS[args.share_type] ?? parent;
  const acltype = args.acltype === undefined || args.acltype === "INHERIT" ? preset.acltype : args.acltype;
  const inherited = acltype === preset.acltype ? preset.aclmode : acltype === "NFSV4" ? "PASSTHROUGH" : "DISCARD";
  const aclmode = args.aclmode === undefined || args.aclmode === "INHERIT" ? inherited : args.aclmode;
  refuseWrongMode("pool_dataset_create.aclmode", acltype, aclmode);
  const dataset: DatasetRecord = {
    id: name,
    acltype,
    aclmode,
    share_type: args.share_type,
    readonly: args.readonly === "ON",
    locked: false,
    comments: args.comments,
    user_properties: Object.fromEntries(args.user_properties.map(({ key, value }) => [key, value])),
  };
  mkdirSync(toLocalPath(world.dir, path));
  datasets[name] = dataset;
  if (args.share_type === "APPS") world.state.ownership[path] = { uid: 0, gid: 0, mode: 0o770, acl: buildAppsAcl() };
  return dataset;
}

function buildAppsAcl(): JsonObject[] {
  const buildEntry = (tag: string, id: number, basic: string): JsonObject => ({
    tag,
    id,
    type: "ALLOW",
    perms: { BASIC: basic },
    flags: { BASIC: "INHERIT" },
  });
  return [
    buildEntry("owner@", -1, "FULL_CONTROL"),
    buildEntry("group@", -1, "FULL_CONTROL"),
    buildEntry("USER", APPS_UID, "MODIFY"),
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
  if (doesPathExist(world.dir, path)) throw createInvalidParam(field, `Path ${path} already exists`);
}
