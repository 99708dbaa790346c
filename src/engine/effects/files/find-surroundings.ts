import type { Host } from "../../ports/host.ts";
import type { HostApp } from "../../ports/host-records.ts";
import type { Store } from "../../ports/store.ts";
import type { StoredApp } from "../../stored-plan.ts";
import { listAppPaths } from "./app-paths.ts";
import { listMadeDirectories } from "./made-directories.ts";
import type { Around } from "./own-directories.ts";
import { listPlannedPaths } from "./planned-paths.ts";

interface Deps {
  readonly host: Pick<Host, "app" | "appConfig">;
  readonly store: Pick<Store, "unfinished" | "plan" | "rootTrees">;
}

/**
 * Finds what the directories of an app are held against: its locations, the other ones of these installed apps and those
 * that tasks are about to change, and what tasks have made (given where it is known, since it takes long to read).
 */
export async function findSurroundings(
  { host, store }: Deps,
  { appId, instance, locations }: Pick<StoredApp, "appId" | "instance" | "locations">,
  installed: readonly HostApp[],
  made = listMadeDirectories(store),
): Promise<Around> {
  const others = installed.filter(({ name }) => name !== instance);
  return {
    locations: Object.values(locations),
    apps: [...(await listAppPaths(host, others)), ...listPlannedPaths(store, appId)],
    made,
  };
}
