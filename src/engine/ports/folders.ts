/**
 * Folders of the host as this machine sees them: names and facts, never what a file holds; and their removal.
 *
 * Invariants every implementation keeps (test/security/files/folders.test.ts):
 * 1. Nothing outside `root` is looked at or removed, whatever is renamed or linked there meanwhile.
 * 2. Nothing is waited for: no pipe is opened, no device.
 * 3. A question costs bounded memory, however much the folder holds.
 */
export interface Folders {
  list(question: FolderQuestion): Promise<FolderPage | FolderFault>;
  /** Removes what a folder holds, then the folder; never rejects. Absent: data of apps is never removed. */
  remove?(removal: FolderRemoval): Promise<FolderRemoved | FolderLeft>;
}

export interface FolderRemoval {
  /** As of `FolderQuestion`. */
  readonly root: string;
  /** Of the folder below it, never `""`; nothing on the way may be a link. */
  readonly path: string;
  /** Name of a directory in the folder: where it is not seen, this is not the folder that is meant. It goes in any case. */
  readonly proof: string;
  /** Makes the proof, asked once the folder is opened; nothing is removed where it rejects. */
  readonly prove: () => Promise<void>;
  /** The folder itself stays, empty. */
  readonly keepsItself: boolean;
  /** Folders below that stay as they are, as paths from the folder on. */
  readonly kept: readonly string[];
  /** Stops in the middle. */
  readonly signal: AbortSignal;
}

/** `isKept`: the folder itself stands, empty but for what is kept. */
export interface FolderRemoved {
  readonly ok: true;
  readonly isKept: boolean;
}

export interface FolderLeft {
  readonly ok: false;
  /** Why something, or all, is left, in words. */
  readonly fault: string;
}

export interface FolderQuestion {
  /** Where the way begins, on this machine: nobody who is not trusted may write its parents. */
  readonly root: string;
  /** Of the folder below it, `""` for itself. Links on the way are followed while they stay below `root`. */
  readonly path: string;
  /** Absolute paths by which links may name `root`, besides its own. */
  readonly names: readonly string[];
  /** `next` of the page before: only what comes after it is listed. */
  readonly after?: string;
  /** Most entries to list. */
  readonly limit: number;
}

export interface FolderPage {
  readonly ok: true;
  /** Folders first, each kind by name. */
  readonly entries: readonly FolderEntry[];
  /** `after` of the next page; absent on the last one. Its entry may have gone meanwhile. */
  readonly next?: string;
  /** false: the folder holds more than is looked at, so that some may never be listed. */
  readonly whole: boolean;
}

export interface FolderEntry {
  /** As the file system has it; anything but "/" and NUL may stand in it. */
  readonly name: string;
  /** Of a link what it leads to; `link` where that is nothing, or outside. */
  readonly kind: "folder" | "file" | "link" | "other";
  readonly isLink: boolean;
  /** Bytes; of files. */
  readonly size?: number;
  /** UTC ms; absent where it was not to be found out. */
  readonly modified?: number;
}

export interface FolderFault {
  readonly ok: false;
  /** `outside`: the way leads out of `root`. */
  readonly fault: "outside" | "missing" | "not a folder" | "unreadable";
}
