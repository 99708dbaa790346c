import { posix } from "node:path";
import type { Host } from "../../ports/host.ts";
import type { Look } from "./declared-path.ts";

/**
 * The name of a dataset the host has at or above a declared path without showing it there, as while it is locked; null
 * if it shows all. Without its dataset a path looks like one that is gone, or empty.
 */
export async function findHiddenDataset(
  host: Pick<Host, "dataset" | "datasetOf">,
  { path, location, top, below }: Look,
): Promise<string | null> {
  if (top.found === null) return null;
  // A link can lead out of all datasets; the directory it lies in can't.
  const shown = [top, ...below.filter(({ found }) => found?.type !== "SYMLINK")].findLast(({ found }) => found) ?? top;
  const { dataset, mountpoint } = await host.datasetOf(shown.real);
  const steps = posix.relative(mountpoint, posix.join(top.real, posix.relative(location, path))).split("/");
  for (const [at, step] of steps.entries()) {
    if (step === "" || step === "..") return null;
    const name = [dataset, ...steps.slice(0, at + 1)].join("/");
    if ((await host.dataset(name)) !== null) return name;
  }
  return null;
}

/** Why nothing is done in a dataset the host does not show. */
export function describeHidden(dataset: string): string {
  return `its dataset "${dataset}" is locked, or not mounted`;
}
