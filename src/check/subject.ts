import type { Problem } from "../core/codes/problems.ts";
import type { Dictionary } from "../core/script/dictionary.ts";
import type { Coverage } from "./coverage.ts";

/** A script of an app as it was. */
export interface EarlierScript {
  /** Its file, and the commit it was read at where it was. */
  readonly name: string;
  readonly text: string;
  /** null where it is refused, or could not be read. */
  readonly dictionary: Dictionary | null;
}

/** One app of a catalog as it was read. */
export interface Subject {
  readonly appId: string;
  /** The catalog's folder, absolute. */
  readonly root: string;
  /** Its newest script, relative to the catalog. */
  readonly file: string;
  readonly text: string;
  /** null where the script is refused. */
  readonly dictionary: Dictionary | null;
  /** Of every file of the app; `file` is relative to the catalog. */
  readonly problems: readonly Problem[];
  /** Of its newest script: which values its app's own schema has judged; absent if the check has no schemas. */
  readonly judged?: Coverage;
  /** Its other scripts, the newest first, and those of an earlier commit. */
  readonly earlier: readonly EarlierScript[];
}

/** An app that holds level 1: everything above plays its dictionary. */
export type PlayedApp = Subject & { readonly dictionary: NonNullable<Subject["dictionary"]> };
