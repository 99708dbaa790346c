/** The other apps of the catalog an app stands in: read once for all, when a level first asks. */
import { readFileBelow } from "../../sandbox/files/read-below.ts";
import { openCatalogDirectory } from "../adapters/catalog/catalog-directory.ts";
import type { Dictionary } from "../core/script/dictionary.ts";
import { MAX_SCRIPT_BYTES } from "../core/script/script-limits.ts";
import type { Catalog, CatalogEntry } from "../engine/ports/catalog.ts";
import type { PlayedApp } from "./subject.ts";

/** Finds apps beside the one that is played. */
export interface Neighbours {
  /** The newest script of an app as an engine takes it; null where the catalog has none any more, or it is refused. */
  find(appId: string): Promise<PlayedApp | null>;
  /** The newest scripts of all apps that can be installed, by app id. */
  list(): Promise<readonly Dictionary[]>;
}

/** Neighbours in a catalog's folder. */
export class CatalogNeighbours implements Neighbours {
  readonly #folder: string;
  #catalog: Promise<Catalog> | null = null;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async find(appId: string): Promise<PlayedApp | null> {
    const catalog = await this.#read();
    const found = catalog.entry(appId);
    if (found === null || !isOffered(found)) return null;
    const { file, dictionary } = found;
    const { root } = catalog;
    // minutes after the catalog was read anything may stand there
    const read = await readFileBelow({ root, path: file }, MAX_SCRIPT_BYTES);
    if (!read.ok) return null;
    return { appId, root, file, text: read.bytes.toString("utf8"), dictionary, problems: [], earlier: [] };
  }

  async list(): Promise<readonly Dictionary[]> {
    const catalog = await this.#read();
    return catalog
      .entries()
      .filter(isOffered)
      .map(({ dictionary }) => dictionary);
  }

  #read(): Promise<Catalog> {
    this.#catalog ??= openCatalogDirectory(this.#folder);
    return this.#catalog;
  }
}

function isOffered(entry: CatalogEntry): entry is CatalogEntry & { readonly dictionary: Dictionary } {
  return entry.dictionary !== null && !entry.deprecated;
}
