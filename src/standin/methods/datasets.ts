import { posix } from "node:path";
import { z } from "zod";
import type { Json, JsonObject } from "../../core/json/json.ts";
import { showSettings, toZfsProperty } from "../files/dataset-settings.ts";
import { toMountpoint } from "../files/paths.ts";
import type { DatasetRecord } from "../host-state.ts";
import { HostString } from "../rpc/arguments.ts";
import { defineDirect, type Method } from "../rpc/method.ts";
import { Filters, QUERY_OPTIONS, runQuery } from "../rpc/query.ts";
import { createInvalidParam } from "../rpc/rpc-error.ts";
import type { World } from "../world.ts";
import { AclMode, AclType, Create, createDataset, refuseWrongMode } from "./create-dataset.ts";

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

/** `asked`: the properties to show, as in `extra.properties`; null shows the usual ones. */
function buildDatasetEntry(
  world: World,
  dataset: DatasetRecord,
  withChildren = false,
  asked: readonly string[] | null = null,
): JsonObject {
  const children = Object.values(world.state.datasets).filter(({ id }) => posix.dirname(id) === dataset.id);
  const properties = Object.entries(dataset.user_properties).map(([key, value]) => [
    key,
    { value, rawvalue: value, parsed: value, source: "LOCAL", source_info: null },
  ]);
  const shown = {
    acltype: toZfsProperty(dataset.acltype),
    aclmode: toZfsProperty(dataset.aclmode),
    casesensitivity: toZfsProperty(dataset.casesensitivity),
    atime: toZfsProperty(dataset.settings?.["atime"]?.toUpperCase() ?? dataset.atime),
    readonly: toZfsProperty(dataset.readonly ? "ON" : "OFF"),
    origin: { ...toZfsProperty(dataset.origin ?? ""), value: dataset.origin ?? null },
  };
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
    ...Object.fromEntries(Object.entries(shown).filter(([name]) => asked?.includes(name) ?? true)),
    ...showSettings(dataset, asked),
    comments: toZfsProperty(dataset.comments),
    user_properties: Object.fromEntries(properties),
    children: withChildren ? children.map((child) => buildDatasetEntry(world, child, true, asked)) : [],
  };
}

/** ZFS datasets over real directories (docs/host-api.md, section 8). */
export const DATASET_METHODS: readonly Method[] = [
  defineDirect({
    name: "pool.dataset.create",
    names: ["data"],
    params: z.tuple([Create]),
    run: (world, [args]) => {
      const dataset = createDataset(world, args);
      world.commit();
      return buildDatasetEntry(world, dataset);
    },
  }),
  defineDirect({
    name: "pool.dataset.query",
    names: ["filters", "options"],
    params: z.tuple([Filters, DatasetQuery]),
    run: (world, [filters, options]): Json => {
      const all = Object.values(world.state.datasets);
      const roots = options.extra.flat ? all : all.filter(({ id }) => !id.includes("/"));
      const { retrieve_children: withChildren, properties } = options.extra;
      const entries = roots.map((dataset) => buildDatasetEntry(world, dataset, withChildren, properties));
      return runQuery(entries, filters, options);
    },
  }),
  defineDirect({
    name: "pool.dataset.update",
    names: ["id", "data"],
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
      return buildDatasetEntry(world, dataset);
    },
  }),
];
