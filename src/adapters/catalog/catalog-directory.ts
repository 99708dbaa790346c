/**
 * The catalog as a directory: `<id>.json` and `<id>@<x>.json` install scripts, their TypeScript below it,
 * and optionally `catalog.json` with the deprecated ids (docs/decisions.md, section 1).
 *
 * Invariants (test/catalog):
 * 1. `entries` and `entry` read one snapshot; `sync` builds the next one aside and swaps it whole, or leaves the old one.
 * 2. A file is never taken half-written (`catalog-file.ts`).
 * 3. A file with the same bytes that names no script file is not parsed again, and an unchanged entry stays the same object.
 * 4. What one file holds harms no other and stops nobody: the engine's thread checks small ones only, in turns
 *    (`catalog-check.ts`), and of a catalog that is too large as a whole the largest files give way.
 */
import { resolve } from "node:path";
import { compareText } from "../../core/script/parse/place-problems.ts";
import type { Catalog, CatalogChanges, CatalogEntry, UsableEntry } from "../../engine/ports/catalog.ts";
import { readWhole } from "./catalog-file.ts";
import { CHECK_LIMITS, createCatalogCheck } from "./file-check/catalog-check.ts";
import { MOST_SCRIPTS } from "./list-scripts.ts";
import { isNewer } from "./newest-entries.ts";
import { readSnapshot } from "./read-snapshot.ts";
import { readSharedSource } from "./script-source.ts";
import type { CatalogLimits, OwnProblems, Snapshot } from "./snapshot.ts";

const LIMITS: CatalogLimits = { files: MOST_SCRIPTS, keptBytes: 128 * 1024 * 1024, check: CHECK_LIMITS };

const EMPTY: Snapshot = { files: new Map(), entries: [], byId: new Map(), deprecated: [] };

/** Opens a catalog directory and reads it once. Throws CATALOG_UNREADABLE when the directory can't be listed. */
export async function openCatalogDirectory(directory: string, limits = LIMITS): Promise<Catalog> {
  const catalog = new CatalogDirectory(resolve(directory), limits);
  await catalog.sync();
  return catalog;
}

class CatalogDirectory implements Catalog {
  readonly root: string;
  readonly #limits: CatalogLimits;
  #snapshot = EMPTY;
  #running: Promise<CatalogChanges> | null = null;

  constructor(root: string, limits: CatalogLimits) {
    this.root = root;
    this.#limits = limits;
  }

  entries(): readonly CatalogEntry[] {
    return this.#snapshot.entries;
  }

  entry(appId: string): CatalogEntry | null {
    return this.#snapshot.byId.get(appId) ?? null;
  }

  scripts(appId: string): readonly UsableEntry[] {
    return listUsableScripts(this.#snapshot.files, appId);
  }

  async scriptText({ file, sha256 }: Pick<CatalogEntry, "file" | "sha256">): Promise<string | null> {
    const read = await readWhole(this.root, file, async () => true);
    return read.kind === "text" && read.sha256 === sha256 ? read.text : null;
  }

  sync(): Promise<CatalogChanges> {
    this.#running ??= this.#syncOnce().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  async #syncOnce(): Promise<CatalogChanges> {
    const check = createCatalogCheck(this.root, readSharedSource, this.#limits.check);
    try {
      const { next, own } = await readSnapshot(this.root, this.#snapshot, check, this.#limits);
      const changes = compare(this.#snapshot, next, own);
      this.#snapshot = next;
      return changes;
    } finally {
      await check.close();
    }
  }
}

function listUsableScripts(files: Snapshot["files"], appId: string): readonly UsableEntry[] {
  const entries = [...files.values()].map(({ entry }) => entry);
  return entries
    .filter((entry): entry is UsableEntry => entry.appId === appId && entry.dictionary !== null)
    .sort((a, b) => (isNewer(a, b) ? -1 : 1));
}

function compare(before: Snapshot, next: Snapshot, own: OwnProblems): CatalogChanges {
  const listIds = (snapshot: Snapshot) => snapshot.entries.map(({ appId }) => appId);
  const changed = listIds(next).filter((id) => before.byId.has(id) && before.byId.get(id) !== next.byId.get(id));
  const problems = [...next.files.values()]
    .map(({ entry }) => ({ file: entry.file, problems: entry.problems }))
    .filter((file) => file.problems.length > 0);
  return {
    added: listIds(next).filter((id) => !before.byId.has(id)),
    changed,
    removed: listIds(before).filter((id) => !next.byId.has(id)),
    problems: [...problems, ...own].sort((a, b) => compareText(a.file, b.file)),
  };
}
