/**
 * Writes files into folders that others may have filled, as a cloned catalog. Every write into such a folder uses this.
 *
 * Invariants:
 * 1. Every folder below the root is opened by its one name from the descriptor of the one before, links not followed.
 * 2. A file is created with O_EXCL and O_NOFOLLOW: nothing that is there is ever written to.
 * 3. A file has a random name until it is whole and on the disk. What a killed process left is deleted an hour later, by the
 *    next write of the same name.
 */
import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  copyFileSync,
  fchmodSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, resolve } from "node:path";

/** Flag O_PATH of Linux; node:fs does not name it. */
export const O_PATH = 0o10000000;
const FOLDER = O_PATH | constants.O_DIRECTORY;
/** End of the name of a file that is being written. */
const PARTIAL = /^[0-9a-f]{16}\.partial$/;
const PARTIAL_MS = 3_600_000;
const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/** What may be in the way of the file. */
export type Replacing =
  /** Nothing: an entry of that name, also a link, is refused. */
  | "nothing"
  /** A regular file; links and everything else are refused. */
  | "file"
  /** Also a link, which is replaced and never followed. */
  | "link";

/** A file to write. */
export interface WrittenFile {
  /** The folder that was named; its own path may lead over links. */
  readonly root: string;
  /** Below the root, without `..`; folders that are missing are made. */
  readonly path: string;
  readonly text: string;
  readonly replaces: Replacing;
  /** Its permission bits; default: those of the file it replaces, else what the umask leaves of 0666. */
  readonly mode?: number;
}

/** Writes a file; throws an error of the system, or one that says which part of the path is not plain. */
export function writeBelow(file: WrittenFile): void {
  try {
    write(file);
  } catch (error) {
    if (error instanceof Error) error.message = error.message.replaceAll(/\/proc\/self\/fd\/\d+\//g, "");
    throw error;
  }
}

/** Writes a file whose folder the caller named; its own path may lead over links. Throws as `writeBelow`. */
export function writeNamed(file: string, { text, replaces, mode }: Omit<WrittenFile, "root" | "path">): void {
  writeBelow({
    root: dirname(resolve(file)),
    path: basename(file),
    text,
    replaces,
    ...(mode !== undefined && { mode }),
  });
}

/** Makes a folder the caller named, with those above it; `mode`: the permission bits of what is made. */
export function makeNamedFolder(folder: string, mode = 0o777): void {
  mkdirSync(folder, { recursive: true, mode });
}

function write({ root, path, text, replaces, mode }: WrittenFile): void {
  const names = splitPath(path);
  const name = names.pop();
  if (name === undefined) throw new Error(`"${path}" names no file`);
  const folder = openFolder(root, names);
  try {
    const entry = toEntry(folder, name);
    const kept = refuseOther(entry, path, replaces);
    sweepPartials(folder, name);
    const partial = toEntry(folder, `.${name}.${randomBytes(8).toString("hex")}.partial`);
    writeNew(partial, text, mode ?? kept);
    try {
      if (replaces === "nothing") putNew(partial, entry);
      else renameSync(partial, entry);
    } finally {
      rmSync(partial, { force: true });
    }
    syncFolder(folder);
  } finally {
    closeSync(folder);
  }
}

/** Gives a file its name, which must be free: a link is made for no name that is taken. */
function putNew(partial: string, entry: string): void {
  try {
    linkSync(partial, entry);
  } catch (error) {
    if (!isFault(error, "EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS")) throw error;
    // A file system without hard links.
    copyFileSync(partial, entry, constants.COPYFILE_EXCL);
  }
}

/** Deletes what writes of this name left that were killed; a younger one may be another process's. */
function sweepPartials(folder: number, name: string): void {
  const before = Date.now() - PARTIAL_MS;
  for (const found of readdirSync(`/proc/self/fd/${folder}`)) {
    if (!found.startsWith(`.${name}.`) || !PARTIAL.test(found.slice(name.length + 2))) continue;
    const entry = toEntry(folder, found);
    const stats = lstatSync(entry, { throwIfNoEntry: false });
    if (stats?.isFile() === true && stats.uid === process.geteuid?.() && stats.mtimeMs < before) {
      rmSync(entry, { force: true });
    }
  }
}

/** Whether an error of the file system has one of these codes, as `ENOENT`. */
export function isFault(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && "code" in error && codes.includes(String(error.code));
}

function splitPath(path: string): string[] {
  const names = path.split("/").filter((name) => name !== "" && name !== ".");
  if (names.includes("..") || path.includes("\0")) throw new Error(`"${path}" leads out of its folder`);
  return names;
}

/** Opens, and makes where it is missing, the folder at the end of these names. */
function openFolder(root: string, names: readonly string[]): number {
  let folder = openSync(root, FOLDER);
  for (const [at, name] of names.entries()) {
    const parent = folder;
    try {
      folder = openChild(parent, name);
    } catch (error) {
      if (!isFault(error, "ENOTDIR", "ELOOP")) throw error;
      throw new Error(`"${names.slice(0, at + 1).join("/")}" is a link or no folder`, { cause: error });
    } finally {
      closeSync(parent);
    }
  }
  return folder;
}

function openChild(parent: number, name: string): number {
  const path = toEntry(parent, name);
  try {
    mkdirSync(path);
    syncFolder(parent);
  } catch (error) {
    if (!isFault(error, "EEXIST")) throw error;
  }
  return openSync(path, FOLDER | constants.O_NOFOLLOW);
}

function writeNew(file: string, text: string, mode: number | undefined): void {
  const handle = openSync(file, CREATE, mode ?? 0o666);
  try {
    if (mode !== undefined) fchmodSync(handle, mode);
    writeFileSync(handle, text);
    fsyncSync(handle);
  } catch (error) {
    rmSync(file, { force: true });
    throw error;
  } finally {
    closeSync(handle);
  }
}

/**
 * Refuses what a file may not take the place of: a device or pipe is an output. Returns the permission bits of the file it
 * replaces.
 */
function refuseOther(file: string, path: string, replaces: Replacing): number | undefined {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found === undefined || (replaces === "link" && found.isSymbolicLink())) return undefined;
  if (replaces === "nothing") throw new Error(`"${path}" exists`);
  if (found.isFile()) return found.mode & 0o777;
  throw new Error(`"${path}" is ${found.isSymbolicLink() ? "a link" : "no regular file"}`);
}

/** Makes a new name in a folder survive a power cut. */
function syncFolder(folder: number): void {
  const readable = openSync(`/proc/self/fd/${folder}`, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    fsyncSync(readable);
  } finally {
    closeSync(readable);
  }
}

/** A path that names an entry of an opened folder, wherever that folder is moved to. */
function toEntry(folder: number, name: string): string {
  return `/proc/self/fd/${folder}/${name}`;
}
