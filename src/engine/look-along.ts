/** Looks at a path of the host one component after another: the host resolves a link only where a path ends in it. */
import { posix } from "node:path";
import type { Host } from "./ports/host.ts";
import type { HostPath } from "./ports/host-records.ts";

/** One component of a path. */
export interface PathStep {
  /** As the path names it. */
  readonly path: string;
  /** With all links resolved, its own too. */
  readonly real: string;
  /** null: nothing is there. */
  readonly found: HostPath | null;
}

/** The directories of pools are the host's own: they are not asked for on the way. */
const POOL = /^\/mnt\/[^/]+(?=\/)/;

/** Looks at every component of an absolute path; the result is the last one, with the links of all resolved. */
export async function lookAlong(stat: Host["stat"], path: string): Promise<PathStep> {
  const wanted = posix.resolve("/", path);
  const [pool] = POOL.exec(wanted) ?? [];
  const top: PathStep = { path: pool ?? "/", real: pool ?? "/", found: { type: "DIRECTORY", uid: 0, gid: 0 } };
  if (wanted === "/") return { ...top, found: await stat(wanted) };
  return (await lookBelow(stat, top, posix.relative(top.path, wanted))).at(-1) ?? top;
}

/** Looks at every component of a relative path below a step, the outermost first. What lies below nothing, or a file, is nothing. */
export async function lookBelow(stat: Host["stat"], top: PathStep, relative: string): Promise<readonly PathStep[]> {
  const steps: PathStep[] = [];
  let above = top;
  for (const name of relative.split("/").filter((one) => one !== "")) {
    const [path, real] = [posix.join(above.path, name), posix.join(above.real, name)];
    // The host answers with an error for what lies below a file.
    const canHold = above.found?.type === "DIRECTORY" || above.found?.type === "SYMLINK";
    const found = canHold ? await stat(real) : null;
    above = { path, real: found?.target ?? real, found };
    steps.push(above);
  }
  return steps;
}

/** A path with all links in it resolved, as far as it exists. */
export async function resolvePath(stat: Host["stat"], path: string): Promise<string> {
  return (await lookAlong(stat, path)).real;
}
