import { z } from "zod";
import type { Json, JsonObject } from "../../core/json/json.ts";
import { dropFiles } from "../files/snapshot-files.ts";
import { countReads, readSnapshots } from "../files/snapshot-reads.ts";
import { addSnapshot } from "../files/snapshots.ts";
import type { SnapshotRecord } from "../host-state.ts";
import { HostString } from "../rpc/arguments.ts";
import { defineDirect, type Method } from "../rpc/method.ts";
import { Filters, QueryOptions, runQuery } from "../rpc/query.ts";
import { createInvalidParam } from "../rpc/rpc-error.ts";
import type { HostGeneration } from "../settings.ts";
import type { World } from "../world.ts";

const Create = z.strictObject({
  dataset: HostString,
  name: HostString,
  recursive: z.boolean().default(false),
  properties: z.record(z.string(), HostString).default({}),
  exclude: z.array(HostString).default([]),
  vmware_sync: z.boolean().default(false),
  suspend_vms: z.boolean().default(false),
});

const POOL: readonly HostGeneration[] = ["25.10", "26.0"];

function buildSnapshotEntry(snapshot: SnapshotRecord, withMetadata: boolean): JsonObject {
  const metadata = Object.entries(snapshot.properties).map(([key, value]): [string, Json] => [
    key,
    { value, rawvalue: value, parsed: value, source: "LOCAL" },
  ]);
  return {
    id: `${snapshot.dataset}@${snapshot.name}`,
    name: `${snapshot.dataset}@${snapshot.name}`,
    snapshot_name: snapshot.name,
    dataset: snapshot.dataset,
    pool: snapshot.dataset.split("/")[0] ?? snapshot.dataset,
    type: "SNAPSHOT",
    createtxg: String(snapshot.createtxg),
    properties: withMetadata ? { ...Object.fromEntries(metadata), referenced: toSize(snapshot.bytes) } : {},
  };
}

/** Of a query for names alone, before it selects them. */
function buildNameEntry({ dataset, name }: SnapshotRecord): JsonObject {
  return { name: `${dataset}@${name}`, dataset, pool: dataset.split("/")[0] ?? dataset };
}

function toSize(bytes: number): JsonObject {
  const rawvalue = String(bytes);
  return { value: `${rawvalue}B`, rawvalue, parsed: bytes, source: "NONE" };
}

function defineSnapshotMethods(prefix: string, generations: readonly HostGeneration[]): Method[] {
  return [
    defineDirect({
      name: `${prefix}.create`,
      generations,
      names: ["data"],
      params: z.tuple([Create]),
      run: (world, [args]) => {
        const targets = Object.keys(world.state.datasets).filter(
          (id) =>
            id === args.dataset || (args.recursive && id.startsWith(`${args.dataset}/`) && !args.exclude.includes(id)),
        );
        const wanted = { dataset: args.dataset, name: args.name, properties: args.properties };
        const snapshot = addSnapshot(world, wanted);
        for (const id of targets) if (id !== args.dataset) addSnapshot(world, { ...wanted, dataset: id });
        world.commit();
        return buildSnapshotEntry(snapshot, true);
      },
    }),
    defineDirect({
      name: `${prefix}.query`,
      generations,
      names: ["filters", "options"],
      params: z.tuple([Filters, QueryOptions]),
      run: (world, [filters, options]) => {
        const { found, names } = readSnapshots(world, filters, options.select);
        const rows = names
          ? found.map(buildNameEntry)
          : found.map((snapshot) => buildSnapshotEntry(snapshot, world.generation !== "26.0"));
        return runQuery(rows, filters, options);
      },
    }),
    defineDirect({
      name: `${prefix}.delete`,
      generations,
      names: ["id", "options"],
      params: z.tuple([
        HostString,
        z.strictObject({ defer: z.boolean().default(false), recursive: z.boolean().default(false) }).prefault({}),
      ]),
      run: (world, [id, { recursive }]) => {
        const [dataset = "", name = ""] = id.split("@");
        const isGone = (one: SnapshotRecord): boolean =>
          one.name === name && (one.dataset === dataset || (recursive && one.dataset.startsWith(`${dataset}/`)));
        if (!world.state.snapshots.some((one) => one.name === name && one.dataset === dataset)) {
          throw createInvalidParam("id", `Snapshot ${id} not found`, "ENOENT");
        }
        const gone = world.state.snapshots.filter(isGone);
        for (const one of gone) refuseCloned(world, one);
        for (const one of gone) dropFiles(world, one);
        world.state.snapshots = world.state.snapshots.filter((one) => !isGone(one));
        world.commit();
        return true;
      },
    }),
  ];
}

/** A snapshot that clones come from is not let go of. */
function refuseCloned({ state }: World, { dataset, name }: SnapshotRecord): void {
  const clones = Object.values(state.datasets).filter(({ origin }) => origin === `${dataset}@${name}`);
  if (clones.length === 0) return;
  const names = clones.map(({ id }) => id).join(", ");
  throw createInvalidParam("options.defer", `Please set this attribute as '${dataset}@${name}' has clones: ${names}`);
}

/** Dataset snapshots: `zfs.snapshot.*` on 25.04, `pool.snapshot.*` from 25.10 on (docs/host-api.md sections 8 and 12). */
export const SNAPSHOT_METHODS: readonly Method[] = [
  ...defineSnapshotMethods("pool.snapshot", POOL),
  ...defineSnapshotMethods("zfs.snapshot", ["25.04"]),
  defineDirect({
    name: "zfs.resource.snapshot.query",
    generations: ["26.0"],
    names: ["data"],
    params: z.tuple([
      z.strictObject({
        paths: z.array(HostString).default([]),
        recursive: z.boolean().default(false),
        get_user_properties: z.boolean().default(false),
        properties: z.array(HostString).nullable().default([]),
      }),
    ]),
    run: (world, [{ paths, recursive, get_user_properties: withProperties, properties: asked }]) => {
      const found = world.state.snapshots.filter((one) =>
        paths.some(
          (path) =>
            path === one.dataset ||
            path === `${one.dataset}@${one.name}` ||
            (recursive && one.dataset.startsWith(`${path}/`)),
        ),
      );
      countReads(world, found.length, asked === null && !withProperties);
      return found.map((one) => {
        const { properties: _properties, id, ...entry } = buildSnapshotEntry(one, false);
        return {
          ...entry,
          name: id ?? null,
          user_properties: withProperties ? one.properties : null,
        };
      });
    },
  }),
];
