import { checkFoundPath, checkWrittenPath, dedupePaths } from "../../core/hooks/selected-files.ts";
import type { HostFacts } from "../../core/plan/host-facts.ts";
import type { Host } from "../ports/host.ts";
import type { HostApp, HostPath } from "../ports/host-records.ts";

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
  const faults = await Promise.all(
    paths.map(async (path) => {
      const fault = checkWrittenPath(path) ?? checkFoundPath(path, await followLinks(host, path), roots);
      return fault === null ? [] : [[path, fault] as const];
    }),
  );
  return { paths, faults: Object.fromEntries(faults.flat()) };
}

async function followLinks(host: Pick<Host, "stat">, path: string): Promise<HostPath | null> {
  const found = await host.stat(path);
  return found?.type === "SYMLINK" ? host.stat(found.realpath) : found;
}
