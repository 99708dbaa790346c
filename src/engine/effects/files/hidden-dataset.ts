import { posix } from "node:path";
import type { Host } from "../../ports/host.ts";
import type { StoredApp } from "../../stored-plan.ts";
import { findOutermostLocation } from "./declared-path.ts";

/**
 * The name of a dataset the host has at or above a declared path without showing it there, as while it is locked; null
 * where it shows all. Without its dataset a path looks like one that is gone, or empty.
 */
export async function findHiddenDataset(
  host: Pick<Host, "stat" | "dataset" | "datasetOf">,
  path: string,
  locations: StoredApp["locations"],
): Promise<string | null> {
  const location = findOutermostLocation(path, locations);
  const top = location === null ? null : await host.stat(location);
  if (location === null || top === null) return null;
  let shown = path;
  while (shown !== location && (await host.stat(shown)) === null) shown = posix.dirname(shown);
  const { dataset, mountpoint } = await host.datasetOf(shown);
  const below = posix.relative(mountpoint, posix.join(top.realpath, posix.relative(location, path)));
  const steps = below === "" ? [] : below.split("/");
  for (const [at] of steps.entries()) {
    const name = [dataset, ...steps.slice(0, at + 1)].join("/");
    if ((await host.dataset(name)) !== null) return name;
  }
  return null;
}

/** Why nothing is done in a dataset the host does not show. */
export function describeHidden(dataset: string): string {
  return `its dataset "${dataset}" is locked, or not mounted`;
}
