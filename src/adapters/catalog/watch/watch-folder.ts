/**
 * Tells which files below a folder change: one watch a folder, however many files lie in it.
 *
 * Invariants:
 * 1. A folder is watched before its files are listed, and what lies in a folder that has just come is told: no file that
 *    comes meanwhile is missed.
 * 2. Links are not followed, so nothing outside is watched. Folders whose name begins with a dot, and `node_modules`, are left
 *    out.
 */
import { type FSWatcher, lstatSync, readdirSync, realpathSync, statSync, watch } from "node:fs";
import { basename, join } from "node:path";
import { EngineError } from "../../../core/codes/problems.ts";
import { readMessage } from "../../../core/json/read-message.ts";

/** Most folders: a catalog's own are few, and the machine's watches are counted. */
const MOST_FOLDERS = 4_096;

/** Is told of what happens. */
export interface FolderListener {
  /** A file or folder below it came, went or changed; "" where it is not known which. */
  changed(path: string): void;
  /** `CATALOG_UNREADABLE`: it can't be watched any longer. */
  failed(error: EngineError): void;
}

/** A folder that is watched, and all below it. */
export class WatchedFolder {
  readonly #root: string;
  readonly #listener: FolderListener;
  /** By path below the root; the root itself is "". */
  readonly #watches = new Map<string, FSWatcher>();
  #identity = "";

  /** Throws `CATALOG_UNREADABLE` where the folder, or one below it, can't be watched. */
  constructor(root: string, listener: FolderListener) {
    this.#root = root;
    this.#listener = listener;
    this.#watchAll();
  }

  /** Watches anew where another folder has come in its place, as a checkout of another branch puts it. */
  renew(): void {
    if (this.#readIdentity() === this.#identity) return;
    this.close();
    this.#watchAll();
    this.#listener.changed("");
  }

  /** Ends all watches. */
  close(): void {
    for (const watcher of this.#watches.values()) watcher.close();
    this.#watches.clear();
  }

  #watchAll(): void {
    try {
      this.#identity = this.#readIdentity();
      this.#watchBelow("", false);
    } catch (error) {
      this.close();
      throw this.#toError(error);
    }
  }

  #watchBelow(folder: string, isNew: boolean): void {
    if (this.#watches.size === MOST_FOLDERS) throw new Error(`it has more than ${MOST_FOLDERS} folders`);
    const place = join(this.#root, folder);
    const watcher = watch(place, (event, name) => this.#hear(folder, event, name));
    this.#watches.set(folder, watcher);
    watcher.on("error", (error) => this.#fail(error));
    for (const entry of readdirSync(place, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (isNew) this.#listener.changed(path);
      if (entry.isDirectory() && isWatched(entry.name)) this.#watchInner(path, isNew);
    }
  }

  /** A folder below another; false where it is gone meanwhile, as what builds or unpacks something makes and removes them. */
  #watchInner(folder: string, isNew: boolean): boolean {
    try {
      this.#watchBelow(folder, isNew);
      return true;
    } catch (error) {
      if (isFolder(join(this.#root, folder))) throw error;
      this.#drop(folder);
      return false;
    }
  }

  /** Ends the watches of a folder and what is below it. */
  #drop(path: string): void {
    for (const [folder, watcher] of this.#watches) {
      if (folder !== path && !folder.startsWith(`${path}/`)) continue;
      watcher.close();
      this.#watches.delete(folder);
    }
  }

  #hear(folder: string, event: string, name: string | null): void {
    const path = name === null ? "" : join(folder, name);
    try {
      const isOnlyNew = event === "rename" && name !== null && this.#replace(path);
      if (!isOnlyNew) this.#listener.changed(path);
    } catch (error) {
      this.#fail(error);
    }
  }

  /** A name that came or went. True where it is a folder that was none before: what is in it is told then, file by file. */
  #replace(path: string): boolean {
    const before = this.#watches.size;
    this.#drop(path);
    const wasFolder = this.#watches.size < before;
    if (!isWatched(basename(path)) || !isFolder(join(this.#root, path))) return false;
    return this.#watchInner(path, true) && !wasFolder;
  }

  #fail(error: unknown): void {
    this.close();
    this.#listener.failed(this.#toError(error));
  }

  #toError(error: unknown): EngineError<"CATALOG_UNREADABLE"> {
    if (error instanceof EngineError && error.code === "CATALOG_UNREADABLE") return error;
    const message = `the catalog "${this.#root}" can't be watched: ${describe(error)}`;
    return new EngineError("CATALOG_UNREADABLE", message, { root: this.#root }, error);
  }

  #readIdentity(): string {
    try {
      const { dev, ino } = statSync(realpathSync(this.#root));
      return `${dev} ${ino}`;
    } catch (error) {
      throw this.#toError(error);
    }
  }
}

function isWatched(name: string): boolean {
  return !name.startsWith(".") && name !== "node_modules";
}

function isFolder(place: string): boolean {
  return lstatSync(place, { throwIfNoEntry: false })?.isDirectory() === true;
}

function describe(error: unknown): string {
  const isFull = error instanceof Error && "code" in error && (error.code === "ENOSPC" || error.code === "EMFILE");
  return isFull ? "this machine allows no more watches (fs.inotify.max_user_watches)" : readMessage(error);
}
