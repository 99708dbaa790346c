import type { Dictionary } from "../../core/script/dictionary.ts";
import type { Catalog, CatalogEntry } from "../../engine/ports/catalog.ts";

type OfferedEntry = CatalogEntry & { readonly dictionary: Dictionary };

/** A catalog of apps as they were read, their script files in the folder of the real one. */
export function offerApps(
  root: string,
  apps: readonly { readonly file: string; readonly dictionary: Dictionary }[],
): Catalog {
  const byId = new Map(apps.map((app) => [app.dictionary.appId, toEntry(app)]));
  const find = (appId: string) => byId.get(appId) ?? null;
  return {
    root,
    entries: () => [...byId.values()],
    entry: find,
    scripts: (appId) => {
      const entry = find(appId);
      return entry === null ? [] : [entry];
    },
    sync: async () => ({ added: [], changed: [], removed: [], problems: [] }),
  };
}

function toEntry({ file, dictionary }: { readonly file: string; readonly dictionary: Dictionary }): OfferedEntry {
  return {
    appId: dictionary.appId,
    file,
    deprecated: false,
    outdated: false,
    sha256: "",
    dictionary,
    declared: dictionary,
    problems: [],
  };
}
