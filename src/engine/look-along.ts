/** Looks at a path of the host one component after another: the host resolves a link only if a path ends in it. */
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

/** The directory from which on the components of an absolute path are asked for: those of pools are the host's own. */
export function startOfPath(path: string): string {
  return /^\/mnt\/[^/]+(?=\/|$)/.exec(path)?.[0] ?? "/";
}

/** Looks at every component of an absolute path and follows its links; the result is the last one. */
export async function lookAlong(stat: Host["stat"], path: string): Promise<PathStep> {
  const wanted = posix.resolve("/", path);
  const start = startOfPath(wanted);
  let step: PathStep = { path: start, real: start, found: { type: "DIRECTORY", uid: 0, gid: 0 } };
  if (wanted === start) return { ...step, found: await stat(wanted) };
  for (const name of listNames(posix.relative(step.path, wanted))) {
    const holder = step.found?.type === "SYMLINK" ? await stat(step.real) : step.found;
    step = await lookAtNext(stat, { ...step, found: holder }, name);
  }
  return step;
}

/**
 * Looks at every component of a relative path below a step, the outermost first. The first link is the last component
 * looked at: an app can make it lead anywhere. Nothing lies below a file, or below nothing.
 */
export async function lookBelow(stat: Host["stat"], top: PathStep, relative: string): Promise<readonly PathStep[]> {
  const steps: PathStep[] = [];
  // The location's own link is the host's, and is followed.
  let above = top.found?.type === "SYMLINK" ? { ...top, found: await stat(top.real) } : top;
  for (const name of listNames(relative)) {
    above = await lookAtNext(stat, above, name);
    steps.push(above);
    if (above.found?.type === "SYMLINK") break;
  }
  return steps;
}

/** `above` is no link. The host answers with an error for a path below a file, so it is not asked. */
async function lookAtNext(stat: Host["stat"], above: PathStep, name: string): Promise<PathStep> {
  const [path, real] = [posix.join(above.path, name), posix.join(above.real, name)];
  const found = above.found?.type === "DIRECTORY" ? await stat(real) : null;
  return { path, real: found?.target ?? real, found };
}

function listNames(relative: string): readonly string[] {
  return relative.split("/").filter((name) => name !== "");
}

/** A path with all links in it resolved, as far as it exists. */
export async function resolvePath(stat: Host["stat"], path: string): Promise<string> {
  return (await lookAlong(stat, path)).real;
}
