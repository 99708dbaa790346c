/**
 * Where install scripts come from.
 *
 * Invariants (test/catalog):
 * 1. Reads see one whole snapshot of the catalog; `sync` swaps it whole.
 * 2. A file that does not parse is an entry without a dictionary, with its problems; it hides no other.
 */

import type { Problem } from "../../core/codes/problems.ts";
import type { Dictionary } from "../../core/script/dictionary.ts";

export interface Catalog {
  /** Directory script files are read from, as an absolute path. */
  readonly root: string;
  /** The newest entry of every app, ordered by app id. */
  entries(): readonly CatalogEntry[];
  entry(appId: string): CatalogEntry | null;
  /** The usable install scripts of an app, the newest first: an app may have several files. */
  scripts(appId: string): readonly UsableEntry[];
  /** The text an entry was read from, to say where in it something stands; null if the file has changed since. */
  scriptText?(entry: Pick<CatalogEntry, "file" | "sha256">): Promise<string | null>;
  /** Reads the catalog again; concurrent calls share one reading. */
  sync(): Promise<CatalogChanges>;
}

export interface CatalogEntry {
  readonly appId: string;
  /** Relative to the root. */
  readonly file: string;
  readonly deprecated: boolean;
  /** A newer file of the app is of a version that is not read: the app has no pairings (docs/install-scripts.md, "Versions"). */
  readonly outdated: boolean;
  /** Hash of the file's bytes. */
  readonly sha256: string;
  /** null when the script itself is refused. Hooks and widgets whose TypeScript is missing or faulty are left out. */
  readonly dictionary: Dictionary | null;
  /** As the text alone declares it, TypeScript unseen: pairings are derived from this (docs/install-scripts.md, "Pairings: links between apps"). */
  readonly declared: Dictionary | null;
  readonly problems: readonly Problem[];
  /** `dictionary` and `declared` are of the last script that could be read: they serve the app if it is installed. */
  readonly servesLast?: true;
}

/** An entry whose script can be installed. */
export type UsableEntry = CatalogEntry & { readonly dictionary: Dictionary };

export interface CatalogChanges {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
  readonly problems: readonly { readonly file: string; readonly problems: readonly Problem[] }[];
}
