/** Folders of the host below its locations, and what can be done with the files in them. */

import type { PairingTarget } from "./pairings.ts";
import type { ActionEntry } from "./widgets.ts";

/** One page of a folder. */
export interface Folder {
  /** Host path without `.`, `..` and doubled slashes; absent of the list of locations. */
  readonly path?: string;
  /** Folders first, each kind by name. */
  readonly entries: readonly FileEntryView[];
  /** `after` of the next page; absent on the last one. */
  readonly next?: string;
  /** false: the folder holds more than the 200,000 entries that are looked at. */
  readonly whole: boolean;
}

export interface FileEntryView {
  /** As the file system has it, or the id of a location: a text of whoever made it, never markup. */
  readonly name: string;
  /** The same to be shown: characters that could deceive a reader are made visible. */
  readonly label: string;
  /** Host path. */
  readonly path: string;
  /** Of a link what it leads to; `link` where that is nothing, or lies outside. */
  readonly kind: "folder" | "file" | "link" | "other";
  readonly isLink: boolean;
  /** Bytes; of files. */
  readonly size?: number;
  /** ISO 8601 UTC. */
  readonly modified?: string;
}

/** An action among those of all apps. */
export interface AppAction extends ActionEntry {
  readonly app: PairingTarget;
}
