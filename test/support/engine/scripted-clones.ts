/** Snapshots of the scripted host with what they hold, and the datasets made of them: the rules of zfs. */
import { HostError } from "../../../src/engine/host-error.ts";
import type { HostPath, HostSnapshot } from "../../../src/engine/ports/host-records.ts";
import { addDataset, datasetFault, faultOf, type World } from "./scripted-world.ts";

/** What a snapshot holds: by the path below the mountpoint. */
type Held = Readonly<Record<string, HostPath>>;

/** Takes a snapshot, or throws where its name is taken. */
export function takeSnapshot(world: World, { dataset, name, properties }: HostSnapshot): void {
  if (world.snapshots.some((shot) => shot.dataset === dataset && shot.name === name)) {
    const reason = `[EEXIST] ${dataset}@${name} already exists`;
    throw new HostError(faultOf("HOST_EXISTS", reason, { errname: "EEXIST" }), "yes");
  }
  const top = `/mnt/${dataset}`;
  const inner = listBelow(world, dataset).map((id) => `/mnt/${id}`);
  const held: Held = Object.fromEntries(
    [...world.paths].flatMap(([path, found]) =>
      isWithin(path, top) && !inner.some((mount) => isWithin(path, mount)) ? [[path.slice(top.length), found]] : [],
    ),
  );
  const bytes = 0;
  world.held.set(`${dataset}@${name}`, held);
  world.snapshots.push({ dataset, name, properties, bytes });
}

/** Deletes a snapshot; one that is gone is none. */
export function dropSnapshot(world: World, dataset: string, name: string): void {
  const at = world.snapshots.findIndex((shot) => shot.dataset === dataset && shot.name === name);
  if (at >= 0) world.snapshots.splice(at, 1);
}

/** Makes a dataset of what a snapshot holds. */
export function cloneSnapshot(world: World, dataset: string, name: string, to: string): void {
  const origin = `${dataset}@${name}`;
  if (!world.snapshots.some((shot) => `${shot.dataset}@${shot.name}` === origin)) refuse("HOST_NOT_FOUND", origin);
  refuseTaken(world, to);
  const acltype = world.datasets.get(dataset)?.acltype ?? "NFSV4";
  addDataset(world, to, acltype);
  const made = world.datasets.get(to);
  if (made !== undefined) world.datasets.set(to, { ...made, origin });
  for (const [path, found] of Object.entries(world.held.get(origin) ?? {})) world.paths.set(`/mnt/${to}${path}`, found);
}

/** Renames a dataset with all that lies in it; one in use is refused. */
export function renameDataset(world: World, name: string, to: string): void {
  if (!world.datasets.has(name)) refuse("HOST_NOT_FOUND", name);
  refuseTaken(world, to);
  const top = `/mnt/${name}`;
  const mounts = [...world.instances.values()].flatMap(({ app }) => app.mounts.map(({ hostPath }) => hostPath));
  if (mounts.some((path) => isWithin(path, top)))
    refuse("HOST_DATASET_BUSY", `cannot unmount '${top}': dataset is busy`);
  const move = (text: string) => to + text.slice(name.length);
  for (const old of [name, ...listBelow(world, name)]) {
    const record = world.datasets.get(old);
    world.datasets.delete(old);
    if (record !== undefined)
      world.datasets.set(move(old), { ...record, name: move(old), mountpoint: `/mnt/${move(old)}` });
  }
  for (const [key, record] of world.datasets)
    if (record.origin?.startsWith(`${name}@`)) world.datasets.set(key, { ...record, origin: move(record.origin) });
  for (const [at, shot] of world.snapshots.entries()) {
    if (shot.dataset !== name) continue;
    world.snapshots[at] = { ...shot, dataset: to };
    world.held.set(`${to}@${shot.name}`, world.held.get(`${name}@${shot.name}`) ?? {});
  }
  for (const [path, found] of [...world.paths]) {
    if (!isWithin(path, top)) continue;
    world.paths.delete(path);
    world.paths.set(`/mnt/${to}${path.slice(top.length)}`, found);
  }
}

/** Hands a clone its origin's snapshots up to the one it comes from, and what that was a clone of itself. */
export function promoteDataset(world: World, name: string): void {
  const clone = world.datasets.get(name);
  const [from = "", origin = ""] = clone?.origin?.split("@") ?? [];
  const former = world.datasets.get(from);
  if (clone === undefined || former === undefined)
    throw new HostError(faultOf("HOST_CALL_FAILED", `${name} is not a clone`), "yes");
  const { origin: _gone, ...own } = clone;
  const last = world.snapshots.findIndex((shot) => shot.dataset === from && shot.name === origin);
  for (const [at, shot] of world.snapshots.entries()) {
    if (shot.dataset !== from || at > last) continue;
    world.snapshots[at] = { ...shot, dataset: name };
    world.held.set(`${name}@${shot.name}`, world.held.get(`${from}@${shot.name}`) ?? {});
  }
  world.datasets.set(name, { ...own, ...(former.origin !== undefined && { origin: former.origin }) });
  world.datasets.set(from, { ...former, origin: `${name}@${origin}` });
}

/** Datasets below another. */
export function listBelow(world: World, name: string): string[] {
  return [...world.datasets.keys()].filter((id) => id.startsWith(`${name}/`));
}

function refuseTaken(world: World, to: string): void {
  const fault = datasetFault(world, to);
  if (fault !== null) throw new HostError(fault, "yes");
}

function refuse(code: "HOST_NOT_FOUND" | "HOST_DATASET_BUSY", reason: string): never {
  throw new HostError(faultOf(code, reason), "yes");
}

function isWithin(path: string, top: string): boolean {
  return path === top || path.startsWith(`${top}/`);
}
