/** Clones of snapshots, put in the place of the datasets they come from (docs/host-api.md, section 8). */
import { renameSync } from "node:fs";
import { posix } from "node:path";
import { z } from "zod";
import { isAtOrBelow } from "../../core/plan/directory-path.ts";
import { deriveAppState } from "../apps/entry.ts";
import { isZfsProperty } from "../files/dataset-settings.ts";
import { locateMountpoint } from "../files/mountpoints.ts";
import { toMountpoint } from "../files/paths.ts";
import { listBelow, putFiles } from "../files/snapshot-files.ts";
import type { DatasetRecord } from "../host-state.ts";
import { HostString } from "../rpc/arguments.ts";
import { defineDirect, type Method, type Span } from "../rpc/method.ts";
import { createCallError, createInvalidParam } from "../rpc/rpc-error.ts";
import { isSince } from "../settings.ts";
import type { World } from "../world.ts";
import { requireFreeDataset } from "./create-dataset.ts";

const Clone = z.strictObject({
  snapshot: HostString,
  dataset_dst: HostString,
  dataset_properties: z.record(z.string(), z.string()).default({}),
});

function defineClone(name: string, span: Span): Method {
  return defineDirect({
    name,
    ...span,
    names: ["data"],
    params: z.tuple([Clone]),
    run: (world, [args]) => {
      const snapshot = world.state.snapshots.find(({ dataset, name }) => `${dataset}@${name}` === args.snapshot);
      if (snapshot === undefined) throw createInvalidParam("snapshot", `Snapshot ${args.snapshot} not found`, "ENOENT");
      const parent = requireFreeDataset(world, args.dataset_dst, "snapshot_clone.dataset_dst");
      const { acltype, aclmode, readonly, ...settings } = args.dataset_properties;
      const unknown = Object.keys(args.dataset_properties).find((property) => !isZfsProperty(property));
      if (unknown !== undefined)
        throw createCallError("EFAULT", `Failed to clone snapshot: invalid property '${unknown}'`);
      world.state.datasets[args.dataset_dst] = {
        ...parent,
        id: args.dataset_dst,
        ...(acltype !== undefined && { acltype: AclProperty.acltype.parse(acltype.toUpperCase()) }),
        ...(aclmode !== undefined && { aclmode: AclProperty.aclmode.parse(aclmode.toUpperCase()) }),
        ...(readonly !== undefined && { readonly: readonly === "on" }),
        comments: "",
        user_properties: {},
        settings,
        origin: args.snapshot,
      };
      putFiles(world, snapshot, args.dataset_dst);
      world.commit();
      return true;
    },
  });
}

const AclProperty = {
  acltype: z.enum(["NFSV4", "POSIX", "OFF"]),
  aclmode: z.enum(["PASSTHROUGH", "RESTRICTED", "DISCARD"]),
};

/** Clones from any release, renames and promotes from 25.10. */
export const CLONE_METHODS: readonly Method[] = [
  defineClone("pool.snapshot.clone", { since: "25.10" }),
  defineClone("zfs.snapshot.clone", { before: "25.10" }),
  defineDirect({
    name: "pool.dataset.rename",
    since: "25.10",
    names: ["id", "data"],
    params: z.tuple([
      HostString,
      z.strictObject({
        new_name: HostString,
        recursive: z.boolean().default(false),
        force: z.boolean().default(false),
      }),
    ]),
    run: (world, [id, { new_name: to, force }]) => {
      requireDataset(world, id);
      if (!force) {
        const message = "No safety checks are performed when renaming ZFS resources. Set Force to continue.";
        throw createInvalidParam("pool.dataset.rename.force", message);
      }
      requireFreeDataset(world, to, "pool.dataset.rename.new_name");
      if (!isSince(world.generation, "26.0")) refuseBusy(world, id);
      renameDataset(world, id, to);
      world.commit();
      return null;
    },
  }),
  defineDirect({
    name: "pool.dataset.promote",
    names: ["id"],
    params: z.tuple([HostString]),
    run: (world, [id]) => {
      const clone = requireDataset(world, id);
      if (clone.origin === undefined)
        throw createCallError(
          isSince(world.generation, "26.0") ? "EINVAL" : "EBADMSG",
          "Only cloned datasets can be promoted.",
        );
      promote(world, clone, clone.origin);
      world.commit();
      return null;
    },
  }),
];

function requireDataset(world: World, id: string): DatasetRecord {
  const dataset = world.state.datasets[id];
  if (dataset === undefined) throw createInvalidParam("id", `${id} does not exist`, "ENOENT");
  return dataset;
}

/** Before 26.0 a dataset that containers have mounted can't be unmounted, and so not renamed; later ones unmount by force. */
function refuseBusy(world: World, id: string): void {
  const top = toMountpoint(id);
  const user = Object.values(world.state.apps).find(
    ({ containers }) =>
      deriveAppState(containers) !== "STOPPED" &&
      containers.some(({ mounts }) => mounts.some(({ source }) => isAtOrBelow(source, top))),
  );
  if (user === undefined) return;
  throw createCallError("EFAULT", `Failed to rename dataset: cannot unmount '${top}': pool or dataset is busy`);
}

function renameDataset({ dir, state }: World, id: string, to: string): void {
  renameSync(locateMountpoint(dir, id), locateMountpoint(dir, to));
  const move = (name: string): string => to + name.slice(id.length);
  for (const old of [id, ...listBelow({ state }, id)]) {
    const record = state.datasets[old];
    delete state.datasets[old];
    if (record !== undefined) state.datasets[move(old)] = { ...record, id: move(old) };
    for (const snapshot of state.snapshots.filter(({ dataset }) => dataset === old)) {
      for (const clone of Object.values(state.datasets))
        if (clone.origin === `${old}@${snapshot.name}`) clone.origin = `${move(old)}@${snapshot.name}`;
      snapshot.dataset = move(old);
    }
  }
  const [top, moved] = [toMountpoint(id), toMountpoint(to)];
  for (const [path, owned] of Object.entries(state.ownership)) {
    if (!isAtOrBelow(path, top)) continue;
    delete state.ownership[path];
    state.ownership[posix.join(moved, posix.relative(top, path))] = owned;
  }
}

/** The clone takes the snapshots up to its origin; what it was cloned from hangs on them from then on. */
function promote({ state }: World, clone: DatasetRecord, origin: string): void {
  const [from = "", name = ""] = origin.split("@");
  const source = state.snapshots.find((one) => one.dataset === from && one.name === name);
  const former = state.datasets[from];
  if (source === undefined || former === undefined) return;
  for (const one of state.snapshots)
    if (one.dataset === from && one.createtxg <= source.createtxg) one.dataset = clone.id;
  const { origin: _gone, ...own } = clone;
  state.datasets[clone.id] = former.origin === undefined ? own : { ...own, origin: former.origin };
  state.datasets[from] = { ...former, origin: `${clone.id}@${name}` };
}
