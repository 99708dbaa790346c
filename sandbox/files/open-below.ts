/**
 * Opens what a path names below a root, whatever is renamed or linked meanwhile.
 *
 * Invariants:
 * 1. Every directory on the way is opened by its one name from the descriptor of the one before, links not followed: the
 *    kernel never resolves a path that others can rearrange. A link is read, and its text walked in the same manner.
 * 2. Descriptors are opened with O_PATH: that has no effect on what is opened and waits for nothing (FIFOs, devices).
 * 3. What is read is the file whose facts were looked at: it is opened anew through its own descriptor.
 */
import { constants, type Stats } from "node:fs";
import { type FileHandle, open, readlink } from "node:fs/promises";
import { readCode } from "./read-code.ts";

/** O_PATH of Linux; node:fs names it not. */
const O_PATH = 0o10000000;
const ENTRY = O_PATH | constants.O_NOFOLLOW;
const DIRECTORY = ENTRY | constants.O_DIRECTORY;

/** Most links followed on one way, as in the kernel. */
const LINKS = 40;
/** Most steps of one way, those of links and those walked again counted. */
const STEPS = 1_024;

/** A way to open, and how far it may lead. */
export interface Below {
  /** Where the way begins. Its own links are followed, so nobody who is not trusted may write its parents. */
  readonly root: string;
  /** Directories from the root on, none of which may be a link: `radarr/config`. Default: none. */
  readonly fixed?: string;
  /** The path below them; `""` is the last of them. Links and `..` are followed while they stay below `root/fixed`. */
  readonly path: string;
  /** Absolute paths by which links may name `root/fixed`, besides its own. */
  readonly names?: readonly string[];
}

/**
 * Why nothing was opened: `OUTSIDE` (the path leads out, or has a NUL), `LINKED` (a fixed directory is a link),
 * `NOT_FILE` (neither a regular file nor a directory), or the system's own code, as `ENOENT`.
 */
export interface OpenError {
  readonly ok: false;
  readonly code: string;
  /** The step that failed, as a path from the root on. */
  readonly at: string;
}

/** An opened file or directory; the caller closes the handle. */
export interface Opened {
  readonly ok: true;
  readonly handle: FileHandle;
  readonly stats: Stats;
}

/** Opens a file of any kind or a directory to look at (`handle` has O_PATH: nothing can be read from it). Never throws. */
export async function openBelow(below: Below): Promise<Opened | OpenError> {
  const walk = new Walk(below);
  try {
    const found = await walk.go();
    return found === null ? walk.fail("OUTSIDE") : { ok: true, ...found };
  } catch (error) {
    return walk.fail(readCode(error));
  } finally {
    await walk.close();
  }
}

/** Opens a regular file for reading; `EISDIR` for a directory. Never throws, waits for no writer and no lease. */
export async function openFileBelow(below: Below): Promise<Opened | OpenError> {
  const found = await openBelow(below);
  if (!found.ok) return found;
  const { handle, stats } = found;
  try {
    if (!stats.isFile()) return { ok: false, code: stats.isDirectory() ? "EISDIR" : "NOT_FILE", at: below.path };
    const file = await open(toDescriptorPath(handle), constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
    return { ok: true, handle: file, stats };
  } catch (error) {
    return { ok: false, code: readCode(error), at: below.path };
  } finally {
    await handle.close();
  }
}

/** The path by which this process reaches what a handle has open. */
export function toDescriptorPath({ fd }: FileHandle): string {
  return `/proc/self/fd/${fd}`;
}

/** Thrown inside a walk with a code of `OpenError`. */
class Refusal extends Error {
  readonly code: string;
  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

type Found = Omit<Opened, "ok">;

class Walk {
  readonly #below: Below;
  readonly #open = new Set<FileHandle>();
  #at = "";
  #steps = 0;
  #links = 0;

  constructor(below: Below) {
    this.#below = below;
  }

  /** null: the path leads out. */
  async go(): Promise<Found | null> {
    const { root, path } = this.#below;
    const fixed = splitSteps(this.#below.fixed ?? "");
    if (fixed.includes("..") || [...fixed, path].some((text) => text.includes("\0"))) return null;
    let here = await this.#keep(open(root, O_PATH | constants.O_DIRECTORY));
    for (const [index, name] of fixed.entries()) {
      this.#at = fixed.slice(0, index + 1).join("/");
      const next = await this.#fixedStep(here, name, index === fixed.length - 1 && splitSteps(path).length === 0);
      await this.#drop(here);
      here = next;
    }
    return this.#descend(here, path.split("/"));
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open].map((handle) => handle.close()));
  }

  fail(code: string): OpenError {
    return { ok: false, code, at: this.#at };
  }

  /** One directory that may not be a link; the last one may be a file where nothing is asked for below it. */
  async #fixedStep(parent: FileHandle, name: string, isEnd: boolean): Promise<FileHandle> {
    const next = await this.#keep(open(toEntryPath(parent, name), isEnd ? ENTRY : DIRECTORY)).catch(async (error) => {
      if (readCode(error) !== "ENOTDIR") throw error;
      throw (await readLinkText(parent, name)) === null ? error : new Refusal("LINKED");
    });
    if (isEnd && (await next.stat()).isSymbolicLink()) throw new Refusal("LINKED");
    return next;
  }

  /** Goes on from `top`, which nothing leaves. `..` walks the directories before it anew: only two are held open. */
  async #descend(top: FileHandle, path: readonly string[]): Promise<Found | null> {
    let here = top;
    let names: string[] = [];
    const todo = path.toReversed();
    for (let name = todo.pop(); name !== undefined; name = todo.pop()) {
      if (name === "" || name === ".") continue;
      if (++this.#steps > STEPS) throw new Refusal("ELOOP");
      this.#at = [...splitSteps(this.#below.fixed ?? ""), ...names, name].join("/");
      if (name === "..") {
        if (names.length === 0) return null;
        todo.push(...names.slice(0, -1).toReversed());
        [here, names] = [await this.#back(here, top), []];
        continue;
      }
      const isEnd = todo.length === 0;
      const next = await this.#entry(here, name, isEnd);
      if (next === null) {
        todo.push(name);
        continue;
      }
      if ("handle" in next) {
        if (here !== top) await this.#drop(here);
        here = next.handle;
        names.push(name);
        if (next.stats !== null) return this.#give(here, next.stats);
        continue;
      }
      if (++this.#links > LINKS) throw new Refusal("ELOOP");
      const target = next.link.startsWith("/") ? await this.#withoutTop(top, next.link) : next.link;
      if (target === null) return null;
      todo.push(...target.split("/").toReversed());
      if (next.link.startsWith("/")) [here, names] = [await this.#back(here, top), []];
    }
    return this.#give(here, await here.stat());
  }

  /** One step: a directory on the way, what stands at its end with its facts, a link's text; null: look again. */
  async #entry(
    parent: FileHandle,
    name: string,
    isEnd: boolean,
  ): Promise<{ handle: FileHandle; stats: Stats | null } | { link: string } | null> {
    try {
      const handle = await this.#keep(open(toEntryPath(parent, name), isEnd ? ENTRY : DIRECTORY));
      if (!isEnd) return { handle, stats: null };
      const stats = await handle.stat();
      if (!stats.isSymbolicLink()) return { handle, stats };
      await this.#drop(handle);
    } catch (error) {
      if (readCode(error) !== "ENOTDIR") throw error;
    }
    const link = await readLinkText(parent, name);
    if (link !== null) return { link };
    // It was a link a moment ago, and is something else now.
    if (isEnd) return null;
    throw new Refusal("ENOTDIR");
  }

  /** Answers the path an absolute link names below `top`; null when that is somewhere else. */
  async #withoutTop(top: FileHandle, link: string): Promise<string | null> {
    const { root, fixed = "", names = [] } = this.#below;
    const own = [splitSteps(root), splitSteps(fixed)].flat();
    const known = [`/${own.join("/")}`, ...names, await readlink(toDescriptorPath(top))];
    const name = known.find((each) => link === each || link.startsWith(`${each}/`));
    return name === undefined ? null : link.slice(name.length);
  }

  async #back(here: FileHandle, top: FileHandle): Promise<FileHandle> {
    if (here !== top) await this.#drop(here);
    return top;
  }

  async #keep(opening: Promise<FileHandle>): Promise<FileHandle> {
    const handle = await opening;
    this.#open.add(handle);
    return handle;
  }

  async #drop(handle: FileHandle): Promise<void> {
    this.#open.delete(handle);
    await handle.close();
  }

  /** Leaves the handle to the caller. */
  #give(handle: FileHandle, stats: Stats): Found {
    this.#open.delete(handle);
    return { handle, stats };
  }
}

function splitSteps(path: string): string[] {
  return path.split("/").filter((step) => step !== "" && step !== ".");
}

function toEntryPath(parent: FileHandle, name: string): string {
  return `${toDescriptorPath(parent)}/${name}`;
}

/** The text of a link; null when the entry is none. */
async function readLinkText(parent: FileHandle, name: string): Promise<string | null> {
  return readlink(toEntryPath(parent, name)).catch((error: unknown) => {
    if (readCode(error) === "EINVAL") return null;
    throw error;
  });
}
