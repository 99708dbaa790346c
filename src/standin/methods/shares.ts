import { posix } from "node:path";
import { z } from "zod";
import { isJsonObject, type JsonObject } from "../../core/json/json.ts";
import { doesPathExist, findDataset, resolveExistingPath } from "../files/paths.ts";
import type { ShareRecord } from "../host-state.ts";
import { HostString } from "../rpc/arguments.ts";
import { defineDirect, type Method } from "../rpc/method.ts";
import { Filters, QueryOptions, runQuery } from "../rpc/query.ts";
import { createCallError, createInvalidParam } from "../rpc/rpc-error.ts";
import type { World } from "../world.ts";

const PURPOSES = [
  "DEFAULT_SHARE",
  "LEGACY_SHARE",
  "TIMEMACHINE_SHARE",
  "MULTIPROTOCOL_SHARE",
  "TIME_LOCKED_SHARE",
  "PRIVATE_DATASETS_SHARE",
  "EXTERNAL_SHARE",
] as const;
const PRESETS_25_04 = ["NO_PRESET", "DEFAULT_SHARE", "MULTI_PROTOCOL_NFS", "ENHANCED_TIMEMACHINE"] as const;

const COMMON = {
  name: z.string().min(1).max(80),
  path: HostString,
  enabled: z.boolean().default(true),
  comment: z.string().default(""),
  browsable: z.boolean().default(true),
};

const Create = z.strictObject({
  ...COMMON,
  purpose: z.enum(PURPOSES).default("DEFAULT_SHARE"),
  readonly: z.boolean().default(false),
  access_based_share_enumeration: z.boolean().default(false),
  options: z.record(z.string(), z.json()).nullable().default(null),
});

const Create2504 = z.strictObject({
  ...COMMON,
  purpose: z.enum(PRESETS_25_04).default("DEFAULT_SHARE"),
  ro: z.boolean().default(false),
  abe: z.boolean().default(false),
  guestok: z.boolean().default(false),
  hostsallow: z.array(HostString).default([]),
  hostsdeny: z.array(HostString).default([]),
  recyclebin: z.boolean().default(false),
  acl: z.boolean().default(true),
});

function addShare(world: World, wanted: Omit<ShareRecord, "id">): JsonObject {
  const path = posix.normalize(wanted.path);
  if (world.state.shares.some(({ name }) => name.toLowerCase() === wanted.name.toLowerCase())) {
    throw createInvalidParam("sharingsmb_create.name", "Share with this name already exists.", "EEXIST");
  }
  if (findDataset(world.state, resolveExistingPath(world.dir, path)) === undefined) {
    throw createInvalidParam("sharingsmb_create.path", "The path must reside within a pool mount point");
  }
  if (!doesPathExist(world.dir, path)) throw createCallError("ENOENT", `Path ${path} not found`);
  const share: ShareRecord = { ...wanted, path, id: world.state.nextShareId };
  world.state.nextShareId += 1;
  world.state.shares.push(share);
  world.commit();
  return buildShareEntry(world, share);
}

function buildShareEntry(world: World, share: ShareRecord): JsonObject {
  const { readonly, options, ...rest } = share;
  const path = findDataset(world.state, share.path);
  const common = { ...rest, locked: path?.locked ?? false, dataset: path?.id ?? null };
  return world.generation === "25.04"
    ? { ...common, ro: readonly, path_suffix: "", guestok: false, abe: false }
    : { ...common, readonly, access_based_share_enumeration: false, audit: { enable: false }, options };
}

/** SMB shares: 25.04 has flat fields and other preset names (docs/host-api.md sections 8 and 12). */
export const SHARE_METHODS: readonly Method[] = [
  defineDirect({
    name: "sharing.smb.create",
    generations: ["25.10", "26.0"],
    names: ["sharingsmb_create"],
    params: z.tuple([Create]),
    run: (world, [{ access_based_share_enumeration: _abe, options, ...wanted }]) =>
      addShare(world, { ...wanted, options: isJsonObject(options ?? {}) ? (options ?? {}) : {} }),
  }),
  defineDirect({
    name: "sharing.smb.create",
    generations: ["25.04"],
    names: ["sharingsmb_create"],
    params: z.tuple([Create2504]),
    run: (world, [{ name, path, enabled, comment, browsable, purpose, ro }]) =>
      addShare(world, { name, path, enabled, comment, browsable, purpose, readonly: ro, options: {} }),
  }),
  defineDirect({
    name: "sharing.smb.query",
    names: ["filters", "options"],
    params: z.tuple([Filters, QueryOptions]),
    run: (world, [filters, options]) =>
      runQuery(
        world.state.shares.map((share) => buildShareEntry(world, share)),
        filters,
        options,
      ),
  }),
];
