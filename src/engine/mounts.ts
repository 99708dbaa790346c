import { posix } from "node:path";
import type { Mount } from "../../sandbox/contract.ts";
import type { HostFacts } from "../core/host-facts.ts";
import type { Host, HostApp } from "./ports/host.ts";

/**
 * The mounts of an app as a script may read them: each with the outermost location it lies in or is. An inner location
 * may lie in a directory that an app can write, and so be replaced by it; the outermost one can't.
 */
export function mountsOf(
  host: Pick<Host, "localPath">,
  { locations }: Pick<HostFacts, "locations">,
  app: Pick<HostApp, "mounts"> | null,
): readonly Mount[] {
  return (app?.mounts ?? []).map(({ hostPath, containerPath }) => {
    const path = posix.resolve("/", hostPath);
    const [location] = Object.values(locations)
      .map((each) => posix.resolve("/", each))
      .filter((each) => path === each || path.startsWith(`${each}/`))
      .sort((a, b) => a.length - b.length);
    return {
      hostPath,
      containerPath,
      localPath: host.localPath(path),
      location: location === undefined ? null : host.localPath(location),
    };
  });
}
