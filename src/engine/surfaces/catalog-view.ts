import { buildPairingIndex, type PairingIndex, replaceInPairingIndex } from "../../core/hooks/pairings.ts";
import type { Dictionary } from "../../core/script/dictionary.ts";
import type { Catalog, CatalogChanges, CatalogEntry } from "../ports/catalog.ts";

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

/** Ids of the apps two views differ in. */
export type ViewChanges = Pick<CatalogChanges, "added" | "changed" | "removed">;

/**
 * Returns a reader of the newest view. The view is swapped whole when the catalog was; between two syncs every call
 * returns the same object. `serve` puts the script of an entry in the place of one that can't be read. `onChange` is called
 * when a view that was read is swapped for one with other apps.
 */
export function createCatalogReader(
  catalog: Catalog,
  production: boolean,
  serve: (entry: CatalogEntry) => CatalogEntry = (entry) => entry,
  onChange: (changes: ViewChanges) => void = () => {},
): () => CatalogView {
  let source: readonly CatalogEntry[] | null = null;
  let view: CatalogView = { apps: new Map(), hidden: new Set(), index: buildPairingIndex([]) };
  return () => {
    const entries = catalog.entries();
    if (entries === source) return view;
    const apps = new Map<string, CatalogEntry>();
    const hidden = new Set<string>();
    for (const found of entries) {
      const entry = serve(found);
      if (production && entry.dictionary?.internal === true) hidden.add(entry.appId);
      else apps.set(entry.appId, entry);
    }
    const changes = source === null ? null : compareApps(view.apps, apps);
    const index = changes === null ? buildIndex(apps) : updateIndex(view.index, apps, changes);
    view = { apps, hidden, index };
    source = entries;
    if (changes !== null && Object.values(changes).some(({ length }) => length > 0)) onChange(changes);
    return view;
  };
}

/** Reads the catalog anew; what has changed is told of at once. */
export async function syncCatalog({
  catalog,
  view,
}: {
  readonly catalog: Pick<Catalog, "sync">;
  readonly view: () => CatalogView;
}): Promise<CatalogChanges> {
  const changes = await catalog.sync();
  view();
  return changes;
}

function buildIndex(apps: CatalogView["apps"]): PairingIndex {
  return buildPairingIndex([...apps.values()].flatMap((entry) => readPairable(entry) ?? []));
}

function compareApps(before: CatalogView["apps"], after: CatalogView["apps"]): ViewChanges {
  const added: string[] = [];
  const changed: string[] = [];
  for (const [appId, entry] of after) {
    const earlier = before.get(appId);
    if (earlier === undefined) added.push(appId);
    // A catalog keeps the entry of an unchanged app.
    else if (earlier !== entry) changed.push(appId);
  }
  return { added, changed, removed: [...before.keys()].filter((appId) => !after.has(appId)) };
}

function updateIndex(
  before: PairingIndex,
  apps: CatalogView["apps"],
  { added, changed, removed }: ViewChanges,
): PairingIndex {
  const others = [...added, ...changed, ...removed];
  if (others.length > INCREMENTAL_LIMIT) return buildIndex(apps);
  let index = before;
  for (const appId of others) index = replaceInPairingIndex(index, appId, readPairable(apps.get(appId)));
  return index;
}

/** Pairings come from declarations alone, also where a script file is missing (docs/install-scripts.md, "Pairings: links between apps"). */
function readPairable(entry: CatalogEntry | undefined): Dictionary | null {
  return entry === undefined || entry.deprecated || entry.outdated ? null : entry.declared;
}
