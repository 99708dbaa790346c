/** One reading of all files of a catalog. */
import type { CatalogChanges, CatalogEntry } from "../../engine/ports/catalog.ts";
import type { CheckLimits } from "./file-check/check-process.ts";

/** Bounds of a whole catalog. */
export interface CatalogLimits {
  /** Install scripts; of more the first by name are read. */
  readonly files: number;
  /** Size of its checked scripts together, in UTF-16 units of the JSON text the check hands over. */
  readonly keptBytes: number;
  /** Bounds for checking one of its files. */
  readonly check: CheckLimits;
}

/** One install script; of several of one app the newest is the app's entry. */
export interface CatalogFile {
  readonly entry: CatalogEntry;
  /** Whether the entry also depends on other files: then equal bytes do not mean an equal entry. */
  readonly readsFiles: boolean;
  /** Bytes it takes to keep the entry. */
  readonly bytes: number;
  /** The script's own version where it is of a version that is not read. */
  readonly unread: string | null;
}

/** One reading of the whole catalog. */
export interface Snapshot {
  /** By file name. */
  readonly files: ReadonlyMap<string, CatalogFile>;
  readonly entries: readonly CatalogEntry[];
  readonly byId: ReadonlyMap<string, CatalogEntry>;
  readonly deprecated: readonly string[];
}

/** Problems of the catalog beside those of its install scripts. */
export type OwnProblems = CatalogChanges["problems"];
