/**
 * The one place that decides whether a path an app declares still is what it names: strictly below its location as the
 * host resolves it at this moment, with no symbolic link in between. An app can write there, so whatever is changed by
 * path is looked at immediately before; the location itself belongs to the host.
 */
import { posix } from "node:path";
import { HostError } from "../../host-error.ts";
import type { Host } from "../../ports/host.ts";
import type { HostPath } from "../../ports/host-records.ts";

type Ask = Pick<Host, "stat" | "datasetOf">;

/**
 * The outermost of the locations a path lies in or is, normalised; null: it lies in none. An inner location may lie in a
 * directory that an app can write, and so be replaced by it; the outermost one can't.
 */
export function findOutermostLocation(path: string, locations: Readonly<Record<string, string>>): string | null {
  const wanted = posix.resolve("/", path);
  const [outermost] = Object.values(locations)
    .map((location) => posix.resolve("/", location))
    .filter((location) => wanted === location || wanted.startsWith(location === "/" ? "/" : `${location}/`))
    .sort((a, b) => a.length - b.length);
  return outermost ?? null;
}

/**
 * Finds a declared path on the host; null where nothing is. Rejects with a `HostError`: `HOST_PATH_LINKED` where
 * the path, or a directory above it, has become a link; `HOST_DIRECTORY_BLOCKED` where its location is not there.
 */
export async function findDeclared(
  host: Pick<Ask, "stat">,
  path: string,
  locations: Readonly<Record<string, string>>,
): Promise<HostPath | null> {
  const location = findOutermostLocation(path, locations);
  if (location === null) throw createBlockedError(`"${path}" lies in none of the host's locations`);
  const top = await host.stat(location);
  if (top === null) throw createBlockedError(`"${location}" does not exist on the host`);
  const found = await host.stat(path);
  if (found === null) return null;
  const expected = posix.join(top.realpath, posix.relative(location, path));
  if (found.realpath === expected) return found;
  throw createLinkedError(`"${path}" is, or lies behind, a symbolic link: the host finds "${found.realpath}" there`);
}

/** The dataset that holds a declared path; rejects as `findDeclared` does, and where nothing is there. */
export async function findDeclaredDataset(
  host: Ask,
  path: string,
  locations: Readonly<Record<string, string>>,
): Promise<Awaited<ReturnType<Host["datasetOf"]>>> {
  const found = await findDeclared(host, path, locations);
  if (found === null) throw createBlockedError(`"${path}" does not exist on the host`);
  const holder = await host.datasetOf(path);
  // The second question may have met another path than the first.
  const { mountpoint } = holder;
  if (found.realpath === mountpoint || found.realpath.startsWith(`${mountpoint}/`)) return holder;
  throw createLinkedError(`"${path}" does not lie on the dataset "${holder.dataset}" the host names for it`);
}

function createLinkedError(reason: string): HostError {
  return new HostError({ code: "HOST_PATH_LINKED", reason, fields: [], retryable: true }, "yes");
}

function createBlockedError(reason: string): HostError {
  return new HostError({ code: "HOST_DIRECTORY_BLOCKED", reason, fields: [], retryable: true }, "yes");
}
