import { buildPairingIndex, type PairingIndex, replaceInPairingIndex } from "../../core/hooks/pairings.ts";
import type { Dictionary } from "../../core/script/dictionary.ts";
import type { Catalog, CatalogEntry } from "../ports/catalog.ts";

/** Above this many changed apps the index is built anew instead of app by app. */
const INCREMENTAL_LIMIT = 64;

/** The catalog as people see it: internal apps only outside production, and the pairing index of what is left. */
export interface CatalogView {
  /** Visible apps by id, in order. */
  readonly apps: ReadonlyMap<string, CatalogEntry>;
  /** Ids of the internal apps that are not shown, installed or not. */
  readonly hidden: ReadonlySet<string>;
  /** Over the usable, non-deprecated apps (docs/install-scripts.md, "Versions"). */
  readonly index: PairingIndex;
}

/**
 * Returns a reader of the newest view. The view is swapped whole when the catalog was; between two syncs every call
 * returns the same object.
 */
export function createCatalogReader(catalog: Catalog, production: boolean): () => CatalogView {
  let source: readonly CatalogEntry[] | null = null;
  let view: CatalogView = { apps: new Map(), hidden: new Set(), index: buildPairingIndex([]) };
  return () => {
    const entries = catalog.entries();
    if (entries === source) return view;
    const apps = new Map<string, CatalogEntry>();
    const hidden = new Set<string>();
    for (const entry of entries) {
      if (production && entry.dictionary?.internal === true) hidden.add(entry.appId);
      else apps.set(entry.appId, entry);
    }
    view = { apps, hidden, index: source === null ? buildIndex(apps) : updateIndex(view, apps) };
    source = entries;
    return view;
  };
}

function buildIndex(apps: CatalogView["apps"]): PairingIndex {
  return buildPairingIndex([...apps.values()].flatMap((entry) => readPairable(entry) ?? []));
}

function updateIndex(before: CatalogView, apps: CatalogView["apps"]): PairingIndex {
  const changed: string[] = [];
  for (const [appId, entry] of apps) {
    // A catalog keeps the entry of an unchanged app.
    if (before.apps.get(appId) !== entry) changed.push(appId);
  }
  for (const appId of before.apps.keys()) if (!apps.has(appId)) changed.push(appId);
  if (changed.length > INCREMENTAL_LIMIT) return buildIndex(apps);
  let { index } = before;
  for (const appId of changed) index = replaceInPairingIndex(index, appId, readPairable(apps.get(appId)));
  return index;
}

/** Pairings come from declarations alone, also where a script file is missing (docs/install-scripts.md, "Pairings: links between apps"). */
function readPairable(entry: CatalogEntry | undefined): Dictionary | null {
  return entry === undefined || entry.deprecated || entry.outdated ? null : entry.declared;
}
