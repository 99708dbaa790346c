import { z } from "zod";
import type { Json, JsonObject } from "../../core/json/json.ts";
import { dropFiles } from "../files/snapshot-files.ts";
import { countReads, readSnapshots, refuseScan } from "../files/snapshot-reads.ts";
import { addSnapshot } from "../files/snapshots.ts";
import type { SnapshotRecord } from "../host-state.ts";
import { HostString } from "../rpc/arguments.ts";
import { defineDirect, type Method, type Span } from "../rpc/method.ts";
import { Filters, QueryOptions, runQuery } from "../rpc/query.ts";
import { createInvalidParam } from "../rpc/rpc-error.ts";
import { isSince } from "../settings.ts";
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

/** What `zfs.resource.snapshot.query` takes. */
const ResourceQuery = z
  .strictObject({
    paths: z.array(HostString).default([]),
    /** Empty for the host's default ones, null for none. */
    properties: z.array(HostString).nullable().default([]),
    get_user_properties: z.boolean().default(false),
    get_source: z.boolean().default(false),
    get_holds: z.boolean().default(false),
    recursive: z.boolean().default(false),
    min_txg: z.int().default(0),
    max_txg: z.int().default(0),
  })
  .prefault({});

function buildSnapshotEntry(snapshot: SnapshotRecord, withMetadata: boolean): JsonObject {
  const metadata = Object.entries(snapshot.properties).map(([key, value]): [string, Json] => [
    key,
    { value, rawvalue: value, parsed: value, source: "LOCAL" },
  ]);
  return {
    id: nameSnapshot(snapshot),
    name: nameSnapshot(snapshot),
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

function defineSnapshotMethods(prefix: string, span: Span): Method[] {
  return [
    defineDirect({
      name: `${prefix}.create`,
      ...span,
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
      ...span,
      names: ["filters", "options"],
      params: z.tuple([Filters, QueryOptions]),
      run: (world, [filters, options]) => {
        const { found, names } = readSnapshots(world, filters, options.select);
        const rows = names
          ? found.map(buildNameEntry)
          : found.map((snapshot) => buildSnapshotEntry(snapshot, !isSince(world.generation, "26.0")));
        return runQuery(rows, filters, options);
      },
    }),
    defineDirect({
      name: `${prefix}.delete`,
      ...span,
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
  ...defineSnapshotMethods("pool.snapshot", { since: "25.10" }),
  ...defineSnapshotMethods("zfs.snapshot", { before: "25.10" }),
  defineDirect({
    name: "zfs.resource.snapshot.query",
    since: "26.0",
    names: ["data"],
    params: z.tuple([ResourceQuery]),
    run: (world, [{ paths, recursive, properties, get_user_properties, get_source, get_holds, min_txg, max_txg }]) => {
      const unknown = paths.find((path) => !isKnown(world, path));
      if (unknown !== undefined) {
        throw createInvalidParam("zfs.resource.snapshot.query", `'${unknown}' not found`, "ENOENT");
      }
      const found = world.state.snapshots.filter(
        (one) =>
          (paths.length === 0 || paths.some((path) => isAsked(one, path, recursive))) &&
          one.createtxg >= min_txg &&
          (max_txg === 0 || one.createtxg <= max_txg),
      );
      const names = properties === null && !get_user_properties;
      countReads(world, found.length, names);
      if (!names && min_txg === 0 && max_txg === 0) refuseScan(world, "This query reads every snapshot of a dataset");
      return found.map((one) => ({
        createtxg: one.createtxg,
        guid: one.createtxg,
        name: nameSnapshot(one),
        pool: one.dataset.split("/")[0] ?? one.dataset,
        dataset: one.dataset,
        snapshot_name: one.name,
        type: "SNAPSHOT",
        holds: get_holds ? [] : null,
        properties: properties === null ? null : buildResourceProperties(one, properties, get_source),
        user_properties: get_user_properties ? one.properties : null,
      }));
    },
  }),
];

function nameSnapshot({ dataset, name }: SnapshotRecord): string {
  return `${dataset}@${name}`;
}

function isKnown({ state }: World, path: string): boolean {
  return state.datasets[path] !== undefined;
}

function isAsked(snapshot: SnapshotRecord, path: string, recursive: boolean): boolean {
  const below = recursive && snapshot.dataset.startsWith(`${path}/`);
  return below || path === snapshot.dataset;
}

/** The properties asked for among those the stand-in knows; an empty list asks for all. */
function buildResourceProperties(
  { bytes, createtxg }: SnapshotRecord,
  wanted: readonly string[],
  withSource: boolean,
): JsonObject {
  const known = { createtxg, guid: createtxg, referenced: bytes, used: 0 };
  const asked = Object.entries(known).filter(([name]) => wanted.length === 0 || wanted.includes(name));
  const source = withSource ? { type: "NONE", value: null } : null;
  return Object.fromEntries(asked.map(([name, value]) => [name, { raw: String(value), source, value }]));
}
