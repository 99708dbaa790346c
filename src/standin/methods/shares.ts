import { posix } from "node:path";
import { z } from "zod";
import type { JsonObject } from "../../core/json/json.ts";
import { isShareName } from "../../core/plan/share-name.ts";
import { findDataset, resolvePath, toMountpoint } from "../files/paths.ts";
import type { ShareRecord } from "../host-state.ts";
import { HostString } from "../rpc/arguments.ts";
import { defineDirect, type Method } from "../rpc/method.ts";
import { Filters, QueryOptions, runQuery } from "../rpc/query.ts";
import { createCallError, createInvalidParam } from "../rpc/rpc-error.ts";
import { isSince } from "../settings.ts";
import type { World } from "../world.ts";

const PURPOSES = [
  "DEFAULT_SHARE",
  "LEGACY_SHARE",
  "TIMEMACHINE_SHARE",
  "MULTIPROTOCOL_SHARE",
  "TIME_LOCKED_SHARE",
  "PRIVATE_DATASETS_SHARE",
] as const;
const PRESETS_25_04 = ["NO_PRESET", "DEFAULT_SHARE", "MULTI_PROTOCOL_NFS", "ENHANCED_TIMEMACHINE"] as const;

const COMMON = {
  name: z.string().refine(isShareName, "Invalid share name"),
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

/** What the host's model adds to the options of a purpose. */
function fillOptions(purpose: (typeof PURPOSES)[number]): JsonObject {
  return { purpose, hostsallow: [], hostsdeny: [], ...PURPOSE_OPTIONS[purpose] };
}

const PURPOSE_OPTIONS: Readonly<Record<(typeof PURPOSES)[number], JsonObject>> = {
  DEFAULT_SHARE: { aapl_name_mangling: false },
  LEGACY_SHARE: { recyclebin: false, path_suffix: null, guestok: false, timemachine: false, acl: true, home: false },
  TIMEMACHINE_SHARE: { timemachine_quota: 0, vuid: null, auto_snapshot: false, auto_dataset_creation: false },
  MULTIPROTOCOL_SHARE: { aapl_name_mangling: false },
  TIME_LOCKED_SHARE: { grace_period: 900, aapl_name_mangling: false },
  PRIVATE_DATASETS_SHARE: { dataset_naming_schema: null, auto_quota: 0, aapl_name_mangling: false },
};

function addShare(world: World, wanted: Omit<ShareRecord, "id">): JsonObject {
  const path = posix.normalize(wanted.path);
  if (world.state.shares.some(({ name }) => name.toLowerCase() === wanted.name.toLowerCase())) {
    throw createInvalidParam("sharingsmb_create.name", "Share names are case-insensitive and must be unique");
  }
  const { real, local } = resolvePath(world, path);
  if (findDataset(world.state, real) === undefined) {
    throw createInvalidParam("sharingsmb_create.path", "The path must reside within a pool mount point");
  }
  if (local === null) throw createCallError("ENOENT", `Path ${path} not found`);
  const share: ShareRecord = { ...wanted, path, id: world.state.nextShareId };
  world.state.nextShareId += 1;
  world.state.shares.push(share);
  world.commit();
  return buildShareEntry(world, share);
}

function buildShareEntry(world: World, share: ShareRecord): JsonObject {
  const { readonly, options, ...rest } = share;
  const dataset = findDataset(world.state, share.path);
  const common = { ...rest, locked: dataset?.locked ?? false };
  if (world.generation === "25.04") return { ...common, ro: readonly, path_suffix: "", guestok: false, abe: false };
  return {
    ...common,
    readonly,
    access_based_share_enumeration: false,
    audit: { enable: false, watch_list: [], ignore_list: [] },
    options,
    ...(isSince(world.generation, "26.0") && {
      dataset: dataset?.id ?? null,
      relative_path: dataset === undefined ? null : posix.relative(toMountpoint(dataset.id), share.path),
    }),
  };
}

/** SMB shares: 25.04 has flat fields and other preset names (docs/host-api.md sections 8 and 12). */
export const SHARE_METHODS: readonly Method[] = [
  defineDirect({
    name: "sharing.smb.create",
    since: "25.10",
    names: ["data"],
    params: z.tuple([Create]),
    run: (world, [{ access_based_share_enumeration: _abe, options, ...wanted }]) =>
      addShare(world, { ...wanted, options: { ...fillOptions(wanted.purpose), ...options } }),
  }),
  defineDirect({
    name: "sharing.smb.create",
    before: "25.10",
    names: ["data"],
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
