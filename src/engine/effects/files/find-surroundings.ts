import type { Host } from "../../ports/host.ts";
import type { HostApp } from "../../ports/host-records.ts";
import type { Store } from "../../ports/store.ts";
import type { StoredApp } from "../../stored-plan.ts";
import { listAppPaths } from "./app-paths.ts";
import { type DeclaredDeps, listDeclared, listKeptPaths } from "./declared-directories.ts";
import { listMadeDirectories } from "./made-directories.ts";
import type { Around } from "./own-directories.ts";
import { PathNames } from "./path-names.ts";
import { listPlannedPaths } from "./planned-paths.ts";

interface Deps extends DeclaredDeps {
  readonly host: Pick<Host, "app" | "appConfig" | "facts" | "stat" | "datasetOf" | "dataset">;
  readonly store: DeclaredDeps["store"] & Pick<Store, "unfinished" | "rootTrees">;
}

/**
 * Finds what the directories of an app are held against: its locations, the other ones of these installed apps and those
 * that tasks are about to change, what their scripts name, and what tasks have made (given where it is known, since it
 * takes long to read).
 */
export async function findSurroundings(
  deps: Deps,
  { appId, instance, locations }: Pick<StoredApp, "appId" | "instance" | "locations">,
  installed: readonly HostApp[],
  made = listMadeDirectories(deps.store),
): Promise<Around> {
  const others = await listAppPaths(
    deps.host,
    installed.filter(({ name }) => name !== instance),
  );
  const declared = await listDeclared(deps, others);
  const present = new Set([appId, ...installed.map((app) => app.appId)]);
  const around: Around = {
    locations: Object.values(locations),
    apps: others,
    declared,
    kept: listKeptPaths(deps, made.values(), (id) => present.has(id)),
    made,
    names: new PathNames(deps.host),
  };
  await around.names.look(listPaths(around));
  // Last: a task of another app may have begun while the host was asked.
  const planned = listPlannedPaths(deps.store, appId);
  await around.names.look(planned.flatMap(({ paths }) => paths));
  return { ...around, apps: [...others, ...planned] };
}

function listPaths({ locations, apps, declared, kept, made }: Around): readonly string[] {
  return [
    ...locations,
    ...apps.flatMap(({ paths }) => paths),
    ...declared.map(({ path }) => path),
    ...[...kept, ...made].map(([path]) => path),
  ];
}
