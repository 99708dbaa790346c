/** The last readable script of an app this engine looks after: it goes on serving the app while the newest can't be read. */
import { z } from "zod";
import { EngineError } from "../../core/codes/problems.ts";
import type { Catalog, CatalogEntry } from "../ports/catalog.ts";
import type { Logger } from "../ports/environment.ts";
import type { Store } from "../ports/store.ts";
import { StoredScriptSchema } from "../stored-script-schema.ts";
import { type CatalogView, createCatalogReader, type ViewChanges } from "./catalog-view.ts";

/** The setting of an app that holds its last readable script, as JSON text. */
export const LAST_SCRIPT = "lastScript";

/** The part of an entry a script serves an app with. */
type Readable = Pick<CatalogEntry, "dictionary" | "declared">;

/** Another build may have written the database. */
const StoredReadable = z.object({ dictionary: StoredScriptSchema, declared: StoredScriptSchema.nullable() });

/** Keeps the script of an entry as the last readable one of its app, if it is another than the kept one. */
export function keepLastScript(
  store: Pick<Store, "setting" | "keepSettings">,
  entry: CatalogEntry | null | undefined,
): void {
  if (!entry || entry.dictionary === null || entry.servesLast === true) return;
  const { appId, dictionary, declared } = entry;
  const text = JSON.stringify({ dictionary, declared } satisfies Readable);
  if (store.setting(appId, LAST_SCRIPT) !== text) store.keepSettings(appId, { [LAST_SCRIPT]: text });
}

/** Reads a catalog in which the last readable scripts stand in for those that can't be read; see `createCatalogReader`. */
export function createServedCatalog(
  { catalog, store, production, logger }: Served,
  onChange: (changes: ViewChanges) => void,
): () => CatalogView {
  const last = new LastScripts(store, logger);
  return createCatalogReader(catalog, production, (entry) => last.serve(entry), onChange);
}

interface Served {
  readonly catalog: Catalog;
  readonly store: Pick<Store, "setting" | "keepSettings">;
  readonly production: boolean;
  readonly logger: Pick<Logger, "warn">;
}

/** Puts the last readable scripts in the place of those that can't be read; the same entry always yields the same object. */
class LastScripts {
  readonly #store: Pick<Store, "setting" | "keepSettings">;
  readonly #logger: Pick<Logger, "warn">;
  readonly #served = new WeakMap<CatalogEntry, CatalogEntry>();
  /** By app id: readable entries the store had no room for. They serve from memory, and are kept at the next chance. */
  readonly #unkept = new Map<string, CatalogEntry>();

  constructor(store: Pick<Store, "setting" | "keepSettings">, logger: Pick<Logger, "warn">) {
    this.#store = store;
    this.#logger = logger;
  }

  /** The entry with the last readable script of its app, if its own can't be read; a readable one is kept for later. */
  serve(entry: CatalogEntry): CatalogEntry {
    this.#keepLeft(entry.appId);
    const known = this.#served.get(entry);
    if (known !== undefined) return known;
    const served = this.#find(entry);
    this.#served.set(entry, served);
    return served;
  }

  #find(entry: CatalogEntry): CatalogEntry {
    const text = this.#store.setting(entry.appId, LAST_SCRIPT);
    if (typeof text !== "string") return entry;
    if (entry.dictionary !== null) {
      this.#keep(entry);
      return entry;
    }
    const stored = this.#unkept.get(entry.appId) ?? readStored(text);
    if (stored === null) return entry;
    const { dictionary, declared } = stored;
    return { ...entry, dictionary, declared, servesLast: true };
  }

  /** Keeps what the store had no room for, unless the app's data is forgotten by now. */
  #keepLeft(appId: string): void {
    const unkept = this.#unkept.get(appId);
    if (unkept === undefined) return;
    if (this.#store.setting(appId, LAST_SCRIPT) === null) this.#unkept.delete(appId);
    else this.#keep(unkept);
  }

  /** A fault of the store never ends a read of the catalog. */
  #keep(entry: CatalogEntry): void {
    const { appId } = entry;
    try {
      keepLastScript(this.#store, entry);
      this.#unkept.delete(appId);
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      this.#logger.warn({ appId, error }, "the last readable script of an app could not be kept");
      this.#unkept.set(appId, entry);
    }
  }
}

/** null: this build can't work from it. */
function readStored(text: string): Readable | null {
  try {
    return StoredReadable.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
