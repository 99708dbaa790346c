/**
 * The directories of datasets on this machine, and what else a stand-in keeps in its own.
 *
 * Invariant: a mountpoint is a directory and no link, as on the host: a link in its place, or above it, is refused.
 */
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { EngineError } from "../../core/codes/problems.ts";
import type { HostState } from "../host-state.ts";
import { STANDIN_LOCATIONS, STANDIN_OPTIONAL_LOCATIONS } from "../locations.ts";
import { createCallError } from "../rpc/rpc-error.ts";
import { lookAt, toMountpoint } from "./paths.ts";

/** Folders of a stand-in whose entries are its own. */
const OWN_FOLDERS = ["", "snapshots", "locked"];

/** Where a dataset is mounted on this machine; need not be there. Throws the host's error when a link is in the way. */
export function locateMountpoint(dir: string, dataset: string): string {
  const link = findLink(dir, toMountpoint(dataset));
  if (link === null) return join(dir, toMountpoint(dataset));
  throw createCallError("EFAULT", `cannot mount '${toMountpoint(dataset)}': "${link}" is a link`);
}

/** Makes the directories at which the datasets are mounted. Throws `HOST_STANDIN_STATE` when a link is in the place of one. */
export function makeMountpoints(dir: string, { datasets }: HostState): void {
  const mounts = Object.keys(datasets).map(toMountpoint);
  refuseLinks(dir, mounts);
  for (const path of mounts) mkdirSync(join(dir, path), { recursive: true });
}

/** Throws `HOST_STANDIN_STATE` when a link is in the place of a location, or of what a stand-in keeps beside its datasets. */
export function refuseLinkedParts(dir: string): void {
  const locations = Object.values({ ...STANDIN_LOCATIONS, ...STANDIN_OPTIONAL_LOCATIONS });
  refuseLinks(dir, [...OWN_FOLDERS.flatMap((folder) => listEntries(dir, folder)), ...locations]);
}

function refuseLinks(dir: string, paths: readonly string[]): void {
  const link = paths.map((path) => findLink(dir, path)).find((found) => found !== null);
  if (link === undefined) return;
  throw new EngineError("HOST_STANDIN_STATE", `"${link}" is a link: nothing leads out of a stand-in`, { dir });
}

/** Removes them with all that lies in them. */
export function removeMountpoints(dir: string, { datasets }: HostState): void {
  for (const id of Object.keys(datasets)) rmSync(locateMountpoint(dir, id), { recursive: true, force: true });
}

/** The first part of a path below the directory that is a link, or a name that leads up; null: there is none. */
function findLink(dir: string, path: string): string | null {
  let here = dir;
  for (const name of path.split("/").slice(1)) {
    here = join(here, name);
    if (name === "" || name === "." || name === "..") return `${dir}${path}`;
    if (lookAt(here)?.isSymbolicLink() === true) return here;
  }
  return null;
}

function listEntries(dir: string, folder: string): string[] {
  const at = join(dir, folder);
  return lookAt(at)?.isDirectory() === true ? readdirSync(at).map((name) => join("/", folder, name)) : [];
}
