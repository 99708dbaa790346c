import type { Dictionary } from "../../core/script/dictionary.ts";
import type { Catalog, CatalogEntry } from "../../engine/ports/catalog.ts";

/** A catalog of one app as it was read, its script files in the folder of the real one. */
export function offerOne(app: {
  readonly root: string;
  readonly file: string;
  readonly dictionary: Dictionary;
}): Catalog {
  const { root, file, dictionary } = app;
  const entry: CatalogEntry & { readonly dictionary: Dictionary } = {
    appId: dictionary.appId,
    file,
    deprecated: false,
    outdated: false,
    sha256: "",
    dictionary,
    declared: dictionary,
    problems: [],
  };
  const find = (appId: string) => (appId === entry.appId ? entry : null);
  return {
    root,
    entries: () => [entry],
    entry: find,
    scripts: (appId) => (find(appId) === null ? [] : [entry]),
    sync: async () => ({ added: [], changed: [], removed: [], problems: [] }),
  };
}
