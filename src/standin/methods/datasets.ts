import { mkdirSync } from "node:fs";
import { posix } from "node:path";
import { z } from "zod";
import type { Json, JsonObject } from "../../core/json/json.ts";
import { doesPathExist, toLocalPath, toMountpoint } from "../files/paths.ts";
import type { DatasetRecord } from "../host-state.ts";
import { HostString } from "../rpc/arguments.ts";
import { defineDirect, type Method } from "../rpc/method.ts";
import { Filters, QUERY_OPTIONS, runQuery } from "../rpc/query.ts";
import { createInvalidParam } from "../rpc/rpc-error.ts";
import type { World } from "../world.ts";

const AclType = z.enum(["OFF", "NFSV4", "POSIX", "INHERIT"]);
const AclMode = z.enum(["PASSTHROUGH", "RESTRICTED", "DISCARD", "INHERIT"]);

const Create = z.strictObject({
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

const Update = z.strictObject({
  acltype: AclType.exactOptional(),
  aclmode: AclMode.exactOptional(),
  comments: z.string().exactOptional(),
  readonly: z.enum(["ON", "OFF", "INHERIT"]).exactOptional(),
  user_properties_update: z
    .array(z.strictObject({ key: HostString, value: HostString.exactOptional(), remove: z.boolean().exactOptional() }))
    .default([]),
});

const DatasetQuery = z
  .strictObject({
    ...QUERY_OPTIONS,
    extra: z
      .strictObject({
        flat: z.boolean().default(true),
        retrieve_children: z.boolean().default(true),
        properties: z.array(z.string()).nullable().default(null),
        snapshots: z.boolean().default(false),
        retrieve_user_props: z.boolean().default(true),
      })
      .prefault({}),
  })
  .prefault({});

/** ACL properties a share type presets; GENERIC inherits its parent's. */
const PRESETS: Readonly<Record<string, Pick<DatasetRecord, "acltype" | "aclmode">>> = {
  SMB: { acltype: "NFSV4", aclmode: "RESTRICTED" },
  APPS: { acltype: "NFSV4", aclmode: "PASSTHROUGH" },
  MULTIPROTOCOL: { acltype: "NFSV4", aclmode: "PASSTHROUGH" },
  NFS: { acltype: "NFSV4", aclmode: "PASSTHROUGH" },
};

/** Account of the apps, which the APPS preset grants MODIFY. */
const APPS_UID = 568;

function toZfsProperty(value: string): JsonObject {
  return {
    parsed: value.toLowerCase(),
    rawvalue: value.toLowerCase(),
    value,
    source: "LOCAL",
    source_info: null,
  };
}

function buildDatasetEntry(world: World, dataset: DatasetRecord, withChildren: boolean): JsonObject {
  const children = Object.values(world.state.datasets).filter(({ id }) => posix.dirname(id) === dataset.id);
  const properties = Object.entries(dataset.user_properties).map(([key, value]) => [
    key,
    { value, rawvalue: value, parsed: value, source: "LOCAL", source_info: null },
  ]);
  return {
    id: dataset.id,
    name: dataset.id,
    type: "FILESYSTEM",
    pool: dataset.id.split("/")[0] ?? dataset.id,
    encrypted: false,
    encryption_root: null,
    key_loaded: false,
    locked: dataset.locked,
    mountpoint: toMountpoint(dataset.id),
    acltype: toZfsProperty(dataset.acltype),
    aclmode: toZfsProperty(dataset.aclmode),
    casesensitivity: toZfsProperty(dataset.share_type === "SMB" ? "INSENSITIVE" : "SENSITIVE"),
    atime: toZfsProperty(PRESETS[dataset.share_type]?.aclmode === "PASSTHROUGH" ? "OFF" : "ON"),
    readonly: toZfsProperty(dataset.readonly ? "ON" : "OFF"),
    comments: toZfsProperty(dataset.comments),
    user_properties: Object.fromEntries(properties),
    children: withChildren ? children.map((child) => buildDatasetEntry(world, child, true)) : [],
  };
}

function createDataset(world: World, args: z.output<typeof Create>): DatasetRecord {
  const { name } = args;
  if (!/^[A-Za-z0-9][A-Za-z0-9 _.:-]*(\/[A-Za-z0-9][A-Za-z0-9 _.:-]*)+$/.test(name)) {
    throw createInvalidParam("pool_dataset_create.name", "Invalid dataset name");
  }
  const parentName = posix.dirname(name);
  const path = toMountpoint(name);
  if (doesPathExist(world.dir, path))
    throw createInvalidParam("pool_dataset_create.name", `Path ${path} already exists`);
  const { datasets } = world.state;
  if (datasets[parentName] === undefined && args.create_ancestors) {
    createDataset(world, { ...args, name: parentName, user_properties: [] });
  }
  const parent = datasets[parentName];
  if (parent === undefined) {
    throw createInvalidParam("pool_dataset_create.name", `Parent dataset ${parentName} does not exist`, "ENOENT");
  }
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

function refuseWrongMode(attribute: string, acltype: string, aclmode: string): void {
  if (acltype !== "NFSV4" && aclmode !== "DISCARD") {
    throw createInvalidParam(attribute, "Must be set to DISCARD when acltype is POSIX or OFF");
  }
}

/** ZFS datasets over real directories (docs/host-api.md, section 8). */
export const DATASET_METHODS: readonly Method[] = [
  defineDirect({
    name: "pool.dataset.create",
    names: ["pool_dataset_create"],
    params: z.tuple([Create]),
    run: (world, [args]) => {
      const dataset = createDataset(world, args);
      world.commit();
      return buildDatasetEntry(world, dataset, false);
    },
  }),
  defineDirect({
    name: "pool.dataset.query",
    names: ["filters", "options"],
    params: z.tuple([Filters, DatasetQuery]),
    run: (world, [filters, options]): Json => {
      const all = Object.values(world.state.datasets);
      const roots = options.extra.flat ? all : all.filter(({ id }) => !id.includes("/"));
      const entries = roots.map((dataset) => buildDatasetEntry(world, dataset, options.extra.retrieve_children));
      return runQuery(entries, filters, options);
    },
  }),
  defineDirect({
    name: "pool.dataset.update",
    names: ["id", "pool_dataset_update"],
    params: z.tuple([HostString, Update]),
    run: (world, [id, args]) => {
      const dataset = world.state.datasets[id];
      if (dataset === undefined) throw createInvalidParam("id", `${id} does not exist`, "ENOENT");
      const acltype = args.acltype === undefined || args.acltype === "INHERIT" ? dataset.acltype : args.acltype;
      const aclmode = args.aclmode === undefined || args.aclmode === "INHERIT" ? dataset.aclmode : args.aclmode;
      refuseWrongMode("pool_dataset_update.aclmode", acltype, aclmode);
      const mount = toMountpoint(id);
      if (acltype !== dataset.acltype && world.state.shares.some(({ path }) => `${path}/`.startsWith(`${mount}/`))) {
        throw createInvalidParam(
          "pool_dataset_update.acltype",
          "This dataset is hosting SMB shares. The acltype cannot be changed",
        );
      }
      const properties = { ...dataset.user_properties };
      for (const { key, value, remove } of args.user_properties_update) {
        if (remove === true) delete properties[key];
        else if (value !== undefined) properties[key] = value;
      }
      Object.assign(dataset, { acltype, aclmode, user_properties: properties });
      if (args.comments !== undefined) dataset.comments = args.comments;
      if (args.readonly !== undefined) dataset.readonly = args.readonly === "ON";
      world.commit();
      return buildDatasetEntry(world, dataset, false);
    },
  }),
];
