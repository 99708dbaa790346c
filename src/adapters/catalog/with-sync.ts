import type { Catalog } from "../../engine/ports/catalog.ts";

/** The same catalog with another `sync`. By hand: the methods of a class are not copied by a spread. */
export function withSync(catalog: Catalog, sync: Catalog["sync"]): Catalog {
  return {
    root: catalog.root,
    entries: () => catalog.entries(),
    entry: (appId) => catalog.entry(appId),
    scripts: (appId) => catalog.scripts(appId),
    sync,
  };
}
