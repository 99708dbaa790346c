/**
 * Removing a folder below a root of this machine, whatever is renamed or linked there meanwhile.
 *
 * Invariants:
 * 1. The folder is opened step by step from its root, no link on the way, and is the one in which the proof stands.
 * 2. What it holds is removed by one name from the descriptor of the folder that holds it: a link is removed, never
 *    followed, and nothing is resolved that others can rearrange.
 * 3. No mount is entered: a folder below stays where its mount is another than that of the folder.
 */
import { constants } from "node:fs";
import { type FileHandle, lstat, open, opendir, readFile, rmdir, unlink } from "node:fs/promises";
import { openBelow, toDescriptorPath } from "../../sandbox/files/open-below.ts";
import { readCode } from "../../sandbox/files/read-code.ts";
import type { FolderLeft, FolderRemoval, FolderRemoved } from "../engine/ports/folders.ts";

const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
/** Folders within one another that are entered: each holds a descriptor. */
const DEPTH = 200;
/** Looks at one folder: a listing may leave out what is moved about while entries are removed. */
const PASSES = 5;
const REFILLED = "something is put into it meanwhile";

/** Removes a folder's content and, unless it stays, the folder. Never rejects. */
export async function removeFolder(removal: FolderRemoval): Promise<FolderRemoved | FolderLeft> {
  try {
    return await removeBelow(removal);
  } catch (error) {
    return { ok: false, fault: describeFault(error) };
  }
}

async function removeBelow({ root, path, proof, prove, keepsItself, kept, signal }: FolderRemoval) {
  const steps = path.split("/").filter((step) => step !== "");
  if (steps.length === 0 || steps.includes(".."))
    return { ok: false, fault: "it is no folder below its location" } as const;
  const opened = await openBelow({ root, fixed: steps.join("/"), path: "" });
  if (!opened.ok) return { ok: false, fault: `it can't be opened here (${opened.code})` } as const;
  const { handle } = opened;
  try {
    await prove();
    if (!(await isFolder(handle, proof)))
      return { ok: false, fault: `this machine does not see "${proof}", which the host has made in it` } as const;
    const work = new Removal(
      await readMount(handle),
      new Set(kept.map((one) => Buffer.from(one).toString("latin1"))),
      signal,
    );
    await work.empty(handle, "", 0);
    if (work.fault !== null) return { ok: false, fault: work.fault } as const;
    if (keepsItself || kept.length > 0) return { ok: true, isKept: true } as const;
  } finally {
    await rmdir(`${toDescriptorPath(handle)}/${proof}`).catch(() => {});
    await handle.close();
  }
  return removeItself(root, steps);
}

/** It stays where it is a mount; an empty folder is all this ever removes. */
async function removeItself(root: string, steps: readonly string[]): Promise<FolderRemoved | FolderLeft> {
  const parent = await openBelow({ root, fixed: steps.slice(0, -1).join("/"), path: "" });
  if (!parent.ok) return { ok: true, isKept: true };
  try {
    await rmdir(`${toDescriptorPath(parent.handle)}/${steps.at(-1) ?? ""}`);
    return { ok: true, isKept: false };
  } catch (error) {
    return readCode(error) === "ENOTEMPTY" ? { ok: false, fault: REFILLED } : { ok: true, isKept: true };
  } finally {
    await parent.handle.close();
  }
}

class Removal {
  /** The first one. */
  fault: string | null = null;
  readonly #mount: string;
  /** Paths from the folder on, a character for each byte. */
  readonly #kept: ReadonlySet<string>;
  readonly #signal: AbortSignal;

  constructor(mount: string, kept: ReadonlySet<string>, signal: AbortSignal) {
    this.#mount = mount;
    this.#kept = kept;
    this.#signal = signal;
  }

  /** Removes what a folder holds; `at` is its path from the first one on, `depth` how many folders that is. */
  async empty(folder: FileHandle, at: string, depth: number): Promise<void> {
    let isMoving = true;
    for (let pass = 0; isMoving && pass < PASSES; pass += 1) {
      isMoving = false;
      // Bytes as they are: a name need not be text.
      for await (const { name } of await opendir(toDescriptorPath(folder), { encoding: "latin1" })) {
        this.#signal.throwIfAborted();
        const path = at === "" ? name : `${at}/${name}`;
        if (this.#kept.has(path)) continue;
        if (await this.#remove(folder, name, path, depth)) isMoving = true;
      }
    }
    if (isMoving) this.#leave(REFILLED);
  }

  async #remove(folder: FileHandle, name: string, path: string, depth: number): Promise<boolean> {
    const entry = Buffer.concat([Buffer.from(`${toDescriptorPath(folder)}/`), Buffer.from(name, "latin1")]);
    try {
      await unlink(entry);
      return true;
    } catch (error) {
      if (readCode(error) === "ENOENT") return false;
      if (readCode(error) !== "EISDIR") return this.#leave(describeFault(error));
    }
    try {
      if (depth >= DEPTH) return this.#leave(`folders lie more than ${DEPTH} deep`);
      const below = await open(entry, FOLDER);
      try {
        if ((await readMount(below)) !== this.#mount) return this.#leave("another file system is mounted in it");
        await this.empty(below, path, depth + 1);
      } finally {
        await below.close();
      }
      if (this.#holdsKept(path)) return false;
      await rmdir(entry);
      return true;
    } catch (error) {
      this.#signal.throwIfAborted();
      return readCode(error) === "ENOENT" ? false : this.#leave(describeFault(error));
    }
  }

  #holdsKept(path: string): boolean {
    return [...this.#kept].some((kept) => kept.startsWith(`${path}/`));
  }

  #leave(fault: string): false {
    this.fault ??= fault;
    return false;
  }
}

async function isFolder(folder: FileHandle, name: string): Promise<boolean> {
  try {
    return (await lstat(`${toDescriptorPath(folder)}/${name}`)).isDirectory();
  } catch {
    return false;
  }
}

/** The mount a descriptor lies on, as the kernel numbers it: a device may be mounted in several places. */
async function readMount({ fd }: FileHandle): Promise<string> {
  const [, mount] = /^mnt_id:\s*(\d+)$/m.exec(await readFile(`/proc/self/fdinfo/${fd}`, "utf8")) ?? [];
  if (mount === undefined) throw new Error("this system does not say what is mounted where");
  return mount;
}

function describeFault(error: unknown): string {
  return error instanceof Error && "code" in error ? `the file system refuses it (${readCode(error)})` : String(error);
}
