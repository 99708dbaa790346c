/**
 * The one place that decides whether a path an app declares still is what it names: strictly below its location, with no
 * symbolic link in between. An app can write there, so a change by path follows a look at each component of it; the
 * location itself belongs to the host.
 */
import { posix } from "node:path";
import { isAtOrBelow } from "../../../core/plan/directory-path.ts";
import { HostError } from "../../host-error.ts";
import { lookAlong, lookBelow, type PathStep } from "../../look-along.ts";
import type { Host } from "../../ports/host.ts";
import type { HostPath } from "../../ports/host-records.ts";

type Locations = Readonly<Record<string, string>>;
type Stat = Pick<Host, "stat">;

/** What the host has along a declared path at one moment. */
export interface Look {
  readonly path: string;
  /** The outermost location the path lies in or is. */
  readonly location: string;
  /** That location; its own links are the host's. */
  readonly top: PathStep;
  /** Every component below it, the outermost first; a link is the last. */
  readonly below: readonly PathStep[];
}

/** A declared path that is there and behind no link. */
export interface Declared extends HostPath {
  /** The path, the links of its location resolved. */
  readonly real: string;
}

/**
 * The outermost of the locations a path lies in or is, normalised; null: it lies in none. An inner location may lie in a
 * directory that an app can write, and so be replaced by it; the outermost one can't.
 */
export function findOutermostLocation(path: string, locations: Locations): string | null {
  const wanted = posix.resolve("/", path);
  const [outermost] = Object.values(locations)
    .map((location) => posix.resolve("/", location))
    .filter((location) => isAtOrBelow(wanted, location))
    .sort((a, b) => a.length - b.length);
  return outermost ?? null;
}

/** Looks along a declared path. Rejects with `HOST_DIRECTORY_BLOCKED` if it lies in no location. */
export async function lookAtDeclared({ stat }: Stat, path: string, locations: Locations): Promise<Look> {
  const location = findOutermostLocation(path, locations);
  if (location === null) throw createBlockedError(`"${path}" lies in none of the host's locations`);
  const top = await lookAlong(stat, location);
  return { path, location, top, below: await lookBelow(stat, top, posix.relative(location, path)) };
}

/**
 * What a look has found at the path; null: nothing. Throws a `HostError`: `HOST_PATH_LINKED` if the path, or a
 * directory above it and below the location, is a link; `HOST_DIRECTORY_BLOCKED` if the location is not there.
 */
export function toDeclared({ path, location, top, below }: Look): Declared | null {
  if (top.found === null) throw createBlockedError(`"${location}" does not exist on the host`);
  const link = below.find(({ found }) => found?.type === "SYMLINK");
  if (link !== undefined) {
    const where = `the host finds "${link.real}" at "${link.path}"`;
    throw createLinkedError(`"${path}" is, or lies behind, a symbolic link: ${where}`);
  }
  const { real, found } = below.at(-1) ?? top;
  return found === null ? null : { ...found, real };
}

/** Looks along a declared path and finds what is there. Rejects as `lookAtDeclared` and `toDeclared` do. */
export async function findDeclared(host: Stat, path: string, locations: Locations): Promise<Declared | null> {
  return toDeclared(await lookAtDeclared(host, path, locations));
}

/** As `findDeclared`; rejects with `HOST_DIRECTORY_BLOCKED` if nothing is there. */
export async function requireDeclared(host: Stat, path: string, locations: Locations): Promise<Declared> {
  const found = await findDeclared(host, path, locations);
  if (found === null) throw createBlockedError(`"${path}" does not exist on the host`);
  return found;
}

/** The dataset that holds what a look has found. Rejects with `HOST_PATH_LINKED` if the host names one elsewhere. */
export async function findHolder(
  host: Pick<Host, "datasetOf">,
  path: string,
  { real }: Pick<Declared, "real">,
): Promise<Awaited<ReturnType<Host["datasetOf"]>>> {
  const holder = await host.datasetOf(real);
  // The second question may have met another path than the look.
  const { mountpoint } = holder;
  if (isAtOrBelow(real, mountpoint)) return holder;
  throw createLinkedError(`"${path}" does not lie on the dataset "${holder.dataset}" the host names for it`);
}

function createLinkedError(reason: string): HostError {
  return new HostError({ code: "HOST_PATH_LINKED", reason, fields: [], retryable: true }, "yes");
}

/** A refusal of something at a path that a person can put right. */
export function createBlockedError(reason: string): HostError {
  return new HostError({ code: "HOST_DIRECTORY_BLOCKED", reason, fields: [], retryable: true }, "yes");
}
