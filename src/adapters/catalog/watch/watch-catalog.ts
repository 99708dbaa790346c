/** Changes of a catalog's files, gathered: a burst of saves is one change, and a file half written waits for its rest. */
import { realpath } from "node:fs/promises";
import { readFileBelow } from "../../../../sandbox/files/read-below.ts";
import { EngineError } from "../../../core/codes/problems.ts";
import { withoutByteOrderMark } from "../../../core/json/json-source.ts";
import { MAX_SCRIPT_BYTES } from "../../../core/script/script-limits.ts";
import { WatchedFolder } from "./watch-folder.ts";

/** Ms without another change after which a burst is over. */
const QUIET_MS = 80;
/** Ms after which changes that never pause are told all the same. */
const LONGEST_MS = 1_000;
/** Ms the rest of a file may take to come after its beginning; what is then not whole is its author's fault. */
const HALF_MS = 300;
/** More files than these are as good as all: the system drops events where they are many. */
const MOST_PATHS = 1_000;

/** Files that changed, relative to the catalog; "all" where they are many, or nobody knows which. */
export type ChangedFiles = ReadonlySet<string> | "all";

/** Is told of changes, one after the other. */
export interface CatalogListener {
  changed(files: ChangedFiles): void;
  /** `CATALOG_UNREADABLE`: nothing more is told. */
  failed(error: EngineError): void;
}

/** A catalog that is watched. */
export interface CatalogWatch {
  /** Tells nothing more. */
  close(): void;
}

/** Watches a catalog from now on. Throws `CATALOG_UNREADABLE`. */
export async function watchCatalog(catalog: string, listener: CatalogListener): Promise<CatalogWatch> {
  const root = await realpath(catalog).catch((cause: unknown) => {
    throw new EngineError("CATALOG_UNREADABLE", `the catalog "${catalog}" can't be read`, { root: catalog }, cause);
  });
  return new GatheredChanges(root, listener);
}

class GatheredChanges implements CatalogWatch {
  readonly #root: string;
  readonly #listener: CatalogListener;
  readonly #folder: WatchedFolder;
  #files: Set<string> | "all" = new Set();
  #quiet: NodeJS.Timeout | undefined;
  /** When the burst began, monotonic ms; null between bursts. */
  #since: number | null = null;
  #isClosed = false;

  constructor(root: string, listener: CatalogListener) {
    this.#root = root;
    this.#listener = listener;
    this.#folder = new WatchedFolder(root, {
      changed: (path) => this.#take(path),
      failed: (error) => this.#fail(error),
    });
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#quiet);
    this.#folder.close();
  }

  #take(path: string): void {
    if (this.#isClosed) return;
    if (path === "" || (this.#files !== "all" && this.#files.size === MOST_PATHS)) this.#files = "all";
    if (this.#files !== "all") this.#files.add(path);
    this.#since ??= performance.now();
    if (performance.now() - this.#since > LONGEST_MS) this.#tell();
    else this.#wait(QUIET_MS, () => void this.#end());
  }

  #wait(ms: number, then: () => void): void {
    clearTimeout(this.#quiet);
    this.#quiet = setTimeout(then, ms);
  }

  /** The burst is over, unless more comes while its files are looked at. */
  async #end(): Promise<void> {
    const waiting = this.#quiet;
    const isHalf = await this.#holdsHalfWritten();
    if (this.#isClosed || waiting !== this.#quiet) return;
    if (isHalf) this.#wait(HALF_MS, () => this.#tell());
    else this.#tell();
  }

  #tell(): void {
    try {
      // A folder in the root's place makes it "all" at once.
      this.#folder.renew();
    } catch (error) {
      if (!(error instanceof EngineError) || error.code !== "CATALOG_UNREADABLE") throw error;
      this.#fail(error);
      return;
    }
    clearTimeout(this.#quiet);
    const files = this.#files;
    this.#files = new Set();
    this.#since = null;
    if (files === "all" || files.size > 0) this.#listener.changed(files);
  }

  #fail(error: EngineError): void {
    this.close();
    this.#listener.failed(error);
  }

  async #holdsHalfWritten(): Promise<boolean> {
    if (this.#files === "all") return false;
    const halves = await Promise.all([...this.#files].map((path) => isHalfWritten(this.#root, path)));
    return halves.includes(true);
  }
}

/** Whether a file looks as if its writer had not come to the end: JSON that breaks off, or TypeScript without a character. */
async function isHalfWritten(root: string, path: string): Promise<boolean> {
  if (!/\.(?:json|ts)$/.test(path)) return false;
  const read = await readFileBelow({ root, path }, MAX_SCRIPT_BYTES);
  if (!read.ok) return false;
  if (path.endsWith(".ts")) return read.bytes.length === 0;
  try {
    JSON.parse(withoutByteOrderMark(read.bytes.toString("utf8")));
    return false;
  } catch {
    return true;
  }
}
