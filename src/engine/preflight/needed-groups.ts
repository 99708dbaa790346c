/** What a host without a group of methods can't do for an app at all. */
import { EngineError, type Failure } from "../../core/codes/problems.ts";
import type { PlannedDirectory } from "../../core/plan/plan.ts";
import type { Host } from "../ports/host.ts";
import { lacks } from "../ports/own-host.ts";
import { createFailure } from "./fault.ts";

type Directories = readonly Pick<PlannedDirectory, "path" | "root" | "owner">[];

/** One `HOST_CAPABILITY_MISSING` for each directory whose owner the host can't set. */
export function checkNeededGroups(host: Host, directories: Directories): Failure[] {
  if (!lacks(host, "owners")) return [];
  return directories.flatMap(({ path, root, owner }) => {
    if (root || owner === undefined) return [];
    return [
      createFailure("HOST_CAPABILITY_MISSING", `"${path}" needs the owner "${owner.user}": this host sets no owners`),
    ];
  });
}

/** Throws `HOST_CAPABILITY_MISSING` if the host can't set the owner of a directory. */
export function refuseMissingGroups(host: Host, appId: string, directories: Directories): void {
  const faults = checkNeededGroups(host, directories);
  const [first] = faults;
  if (first === undefined) return;
  throw new EngineError(first.code, faults.map(({ message }) => message).join("; "), { appId, faults });
}
