import { posix } from "node:path";
import type { Mount } from "../../../../sandbox/contract.ts";
import type { HostFacts } from "../../../core/plan/host-facts.ts";
import type { Host } from "../../ports/host.ts";
import type { HostApp } from "../../ports/host-records.ts";
import { findOutermostLocation } from "../files/declared-path.ts";

/** The mounts of an app as a script may read them: each with the outermost location it lies in or is. */
export function mountsOf(
  host: Pick<Host, "localPath">,
  { locations }: Pick<HostFacts, "locations">,
  app: Pick<HostApp, "mounts"> | null,
): readonly Mount[] {
  return (app?.mounts ?? []).map(({ hostPath, containerPath }) => {
    const location = findOutermostLocation(hostPath, locations);
    return {
      hostPath,
      containerPath,
      localPath: host.localPath(posix.resolve("/", hostPath)),
      location: location === null ? null : host.localPath(location),
    };
  });
}
