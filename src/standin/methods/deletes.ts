/** Datasets and shares that go for good (docs/host-api.md, section 8). */
import { rmSync } from "node:fs";
import { z } from "zod";
import { isAtOrBelow } from "../../core/plan/directory-path.ts";
import { deriveAppState } from "../apps/entry.ts";
import { locateMountpoint } from "../files/mountpoints.ts";
import { toMountpoint } from "../files/paths.ts";
import { dropFiles, listBelow } from "../files/snapshot-files.ts";
import { HostString } from "../rpc/arguments.ts";
import { defineDirect, type Method } from "../rpc/method.ts";
import { createCallError, createInvalidParam } from "../rpc/rpc-error.ts";
import type { World } from "../world.ts";

const Options = z
  .strictObject({ recursive: z.boolean().default(false), force: z.boolean().default(false) })
  .prefault({});

/** `pool.dataset.delete` and `sharing.smb.delete`. */
export const DELETE_METHODS: readonly Method[] = [
  defineDirect({
    name: "pool.dataset.delete",
    names: ["id", "options"],
    params: z.tuple([HostString, Options]),
    run: (world, [id, { recursive }]) => {
      if (world.state.datasets[id] === undefined) throw createInvalidParam("id", `${id} does not exist`, "ENOENT");
      const gone = [id, ...listBelow(world, id)];
      refuseDestroy(world, gone, recursive);
      destroy(world, gone);
      world.commit();
      return true;
    },
  }),
  defineDirect({
    name: "sharing.smb.delete",
    names: ["id"],
    params: z.tuple([z.int()]),
    run: (world, [id]) => {
      const at = world.state.shares.findIndex((share) => share.id === id);
      if (at < 0) throw createInvalidParam("id", `${id} does not exist`, "ENOENT");
      world.state.shares.splice(at, 1);
      world.commit();
      return true;
    },
  }),
];

/** ZFS destroys no dataset that holds others or snapshots unless told so, none whose clones stay, and none in use. */
function refuseDestroy({ state }: World, [id = "", ...below]: readonly string[], recursive: boolean): void {
  const refuse = (text: string): never => {
    throw createCallError("EFAULT", `Failed to delete dataset: cannot destroy '${id}': ${text}`);
  };
  const all = new Set([id, ...below]);
  const snapshots = state.snapshots.filter(({ dataset }) => all.has(dataset));
  if (!recursive && below.length + snapshots.length > 0) refuse("filesystem has children");
  const names = new Set(snapshots.map(({ dataset, name }) => `${dataset}@${name}`));
  const clones = Object.values(state.datasets).filter((one) => names.has(one.origin ?? "") && !all.has(one.id));
  if (clones.length > 0) refuse("filesystem has dependent clones");
  const top = toMountpoint(id);
  const isBusy = Object.values(state.apps).some(
    ({ containers }) =>
      deriveAppState(containers) !== "STOPPED" &&
      containers.some(({ mounts }) => mounts.some(({ source }) => isAtOrBelow(source, top))),
  );
  if (isBusy) refuse("dataset is busy");
}

/** The host's shares of what goes are deleted with it. */
function destroy(world: World, gone: readonly string[]): void {
  const { state, dir } = world;
  const [first = ""] = gone;
  const [top, mountpoint] = [toMountpoint(first), locateMountpoint(dir, first)];
  for (const snapshot of state.snapshots) if (gone.includes(snapshot.dataset)) dropFiles(world, snapshot);
  state.snapshots = state.snapshots.filter(({ dataset }) => !gone.includes(dataset));
  state.shares = state.shares.filter(({ path }) => !isAtOrBelow(path, top));
  for (const id of gone) delete state.datasets[id];
  for (const path of Object.keys(state.ownership)) if (isAtOrBelow(path, top)) delete state.ownership[path];
  rmSync(mountpoint, { recursive: true, force: true });
}
