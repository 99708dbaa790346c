import type { Store } from "../../ports/store.ts";

/** The directories tasks have made and none has removed since, each with the app it was made for. */
export function listMadeDirectories(store: Pick<Store, "rootTrees">): ReadonlyMap<string, string> {
  const made = new Map<string, string>();
  for (const { appId, facts } of store
    .rootTrees()
    .flat()
    .toSorted((a, b) => a.updated - b.updated)) {
    const { result } = facts;
    if (result === undefined) continue;
    if ("removed" in result) for (const path of result.removed) if (made.get(path) === appId) made.delete(path);
    if ("directories" in result) for (const path of result.directories ?? []) made.set(path, appId);
  }
  return made;
}
