/**
 * Writes files into folders that others may have filled, as a cloned catalog: the one way this project does.
 *
 * Invariants:
 * 1. Every folder below the root is opened by its one name from the descriptor of the one before, links not followed.
 * 2. A file is created with O_EXCL and O_NOFOLLOW: nothing that is there is ever written to.
 * 3. What replaces a file has a random name until it is whole and on the disk.
 */
import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  fchmodSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, resolve } from "node:path";

/** O_PATH of Linux; node:fs does not name it. */
const O_PATH = 0o10000000;
const FOLDER = O_PATH | constants.O_DIRECTORY;
const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/** What may be in the way of the file. */
export type Replacing =
  /** Nothing: an entry of that name, also a link, is refused with EEXIST. */
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
  /** Its permission bits; default: what the umask leaves of 0666. */
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

/** Makes a folder the caller named, with those above it. */
export function makeNamedFolder(folder: string): void {
  mkdirSync(folder, { recursive: true });
}

function write({ root, path, text, replaces, mode }: WrittenFile): void {
  const names = splitPath(path);
  const name = names.pop();
  if (name === undefined) throw new Error(`"${path}" names no file`);
  const folder = openFolder(root, names);
  try {
    const entry = toEntry(folder, name);
    if (replaces === "nothing") {
      writeNew(entry, text, mode);
    } else {
      refuseOther(entry, path, replaces);
      const partial = toEntry(folder, `.${name}.${randomBytes(8).toString("hex")}.partial`);
      writeNew(partial, text, mode);
      renameOver(partial, entry);
    }
    syncFolder(folder);
  } finally {
    closeSync(folder);
  }
}

function renameOver(partial: string, entry: string): void {
  try {
    renameSync(partial, entry);
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
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
      const code = error instanceof Error && "code" in error ? error.code : undefined;
      if (code !== "ENOTDIR" && code !== "ELOOP") throw error;
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
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
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

/** A device or pipe of that name is somebody's output, and no file to replace. */
function refuseOther(file: string, path: string, replaces: Replacing): void {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found === undefined || found.isFile() || (replaces === "link" && found.isSymbolicLink())) return;
  throw new Error(`"${path}" is ${found.isSymbolicLink() ? "a link" : "no regular file"}`);
}

/** After a power cut the new name is there too. */
function syncFolder(folder: number): void {
  const readable = openSync(`/proc/self/fd/${folder}`, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    fsyncSync(readable);
  } finally {
    closeSync(readable);
  }
}

/** The path by which the kernel finds a name in an opened folder. */
function toEntry(folder: number, name: string): string {
  return `/proc/self/fd/${folder}/${name}`;
}
