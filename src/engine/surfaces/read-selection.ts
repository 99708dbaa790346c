import { checkFoundPath, checkWrittenPath, dedupePaths, type FoundPath } from "../../core/hooks/selected-files.ts";
import type { HostFacts } from "../../core/plan/host-facts.ts";
import { lookAlong } from "../look-along.ts";
import type { Host } from "../ports/host.ts";
import type { HostApp } from "../ports/host-records.ts";

/** Selected paths, each once, and why no hook may have some of them. */
export interface Selection {
  readonly paths: readonly string[];
  /** By path; empty where a hook may have all of it. */
  readonly faults: Readonly<Record<string, string>>;
}

/**
 * Looks at the selected paths on the host: each must be a file in a mount of an app or in a location. Rejects as the host
 * does.
 */
export async function readSelection(
  host: Pick<Host, "stat">,
  selected: readonly string[],
  apps: readonly HostApp[],
  { locations }: Pick<HostFacts, "locations">,
): Promise<Selection> {
  const mounts = apps.flatMap((app) => app.mounts);
  const roots = [
    ...mounts.flatMap(({ hostPath, realPath = hostPath }) => [hostPath, realPath]),
    ...Object.values(locations),
  ].map((root) => root.replace(/(?<=.)\/+$/, ""));
  const paths = dedupePaths(selected);
  // Files of one folder share the components above them.
  const asked = new Map<string, ReturnType<Host["stat"]>>();
  const stat: Host["stat"] = (path) => {
    const answer = asked.get(path) ?? host.stat(path);
    asked.set(path, answer);
    return answer;
  };
  const faults = await Promise.all(
    paths.map(async (path) => {
      const fault = checkWrittenPath(path) ?? checkFoundPath(path, await findFile(stat, path), roots);
      return fault === null ? [] : [[path, fault] as const];
    }),
  );
  return { paths, faults: Object.fromEntries(faults.flat()) };
}

async function findFile(stat: Host["stat"], path: string): Promise<FoundPath | null> {
  const { found, real } = await lookAlong(stat, path);
  const end = found?.type === "SYMLINK" ? await stat(real) : found;
  return end === null ? null : { type: end.type, realpath: real };
}
