/** `node:fs` and `node:fs/promises`: reading below the app's mounts, as Node names and throws it. */

import type { FileEntry, FileKind, FileStat } from "../../protocol/ops.ts";
import { askParentFor, askParentForBytes, askParentForText } from "../bridge/bridge.ts";
import { URL } from "../web/url.ts";
import { Buffer } from "./buffer.ts";
import { join } from "./path.ts";

function toPath(path: unknown): string {
  if (typeof path === "string") return path;
  if (path instanceof Uint8Array) return Buffer.from(path).toString("utf8");
  if (path instanceof URL && path.protocol === "file:") return decodeURIComponent(path.pathname);
  throw Object.assign(new TypeError('The "path" argument must be of type string or an instance of Buffer or URL'), {
    code: "ERR_INVALID_ARG_TYPE",
  });
}

type EncodingOption = string | null | undefined | { readonly encoding?: string | null };

function readEncodingOption(options: EncodingOption): string | undefined {
  return (typeof options === "object" ? options?.encoding : options) ?? undefined;
}

export function readFileSync(path: unknown, options?: EncodingOption): string | Buffer {
  const encoding = readEncodingOption(options);
  const file = toPath(path);
  if (encoding === "utf8" || encoding === "utf-8") {
    return askParentForText({ op: "fs.read", path: file, encoding: "utf8" });
  }
  const bytes = Buffer.from(askParentForBytes({ op: "fs.read", path: file }).buffer);
  return encoding === undefined ? bytes : bytes.toString(encoding as "latin1");
}

/** The answer of `stat`. */
export class Stats {
  readonly size: number;
  readonly mode: number;
  readonly mtimeMs: number;
  readonly #kind: FileKind;

  constructor(stat: FileStat) {
    this.size = stat.size;
    this.mode = stat.mode;
    this.mtimeMs = stat.mtimeMs;
    this.#kind = stat.kind;
  }

  get mtime(): Date {
    return new Date(this.mtimeMs);
  }
  isFile(): boolean {
    return this.#kind === "file";
  }
  isDirectory(): boolean {
    return this.#kind === "directory";
  }
  isSymbolicLink(): boolean {
    return this.#kind === "symlink";
  }
}

export function statSync(path: unknown, options?: { readonly throwIfNoEntry?: boolean }): Stats | undefined {
  try {
    return new Stats(askParentFor<FileStat>({ op: "fs.stat", path: toPath(path) }));
  } catch (error) {
    if (options?.throwIfNoEntry === false && error instanceof Error && Reflect.get(error, "code") === "ENOENT") return;
    throw error;
  }
}

export function existsSync(path: unknown): boolean {
  try {
    askParentFor<FileStat>({ op: "fs.stat", path: toPath(path) });
    return true;
  } catch {
    return false;
  }
}

/** Throws when the file is not there; `W_OK` always throws, because everything is read-only. */
export function accessSync(path: unknown, mode: number = constants.F_OK): void {
  const file = toPath(path);
  askParentFor<FileStat>({ op: "fs.stat", path: file });
  if ((mode & constants.W_OK) === 0) return;
  throw Object.assign(new Error(`EROFS: read-only file system, access '${file}'`), {
    code: "EROFS",
    syscall: "access",
    path: file,
  });
}

export const constants = { F_OK: 0, X_OK: 1, W_OK: 2, R_OK: 4 } as const;

/** One entry of a directory. */
export class Dirent {
  readonly name: string;
  readonly parentPath: string;
  readonly #kind: FileKind;

  constructor(entry: FileEntry, parentPath: string) {
    this.name = entry.name;
    this.parentPath = parentPath;
    this.#kind = entry.kind;
  }

  isFile(): boolean {
    return this.#kind === "file";
  }
  isDirectory(): boolean {
    return this.#kind === "directory";
  }
  isSymbolicLink(): boolean {
    return this.#kind === "symlink";
  }
}

interface ListOptions {
  readonly withFileTypes?: boolean;
  readonly recursive?: boolean;
}

export function readdirSync(path: unknown, options?: ListOptions | string | null): string[] | Dirent[] {
  const root = toPath(path);
  const { withFileTypes = false, recursive = false } = typeof options === "object" ? (options ?? {}) : {};
  const entries = list(root, recursive);
  if (withFileTypes) return entries;
  return entries.map(({ name, parentPath }) =>
    parentPath === root ? name : join(parentPath, name).slice(root.length + 1),
  );
}

/** Sorted by name, as a directory read twice must look the same. */
function list(path: string, recursive: boolean): Dirent[] {
  const found = askParentFor<readonly FileEntry[]>({ op: "fs.list", path });
  const entries = found.map((entry) => new Dirent(entry, path)).sort((a, b) => (a.name < b.name ? -1 : 1));
  if (!recursive) return entries;
  return entries.flatMap((entry) => [entry, ...(entry.isDirectory() ? list(join(path, entry.name), true) : [])]);
}

export async function readFile(path: unknown, options?: EncodingOption): Promise<string | Buffer> {
  return readFileSync(path, options);
}

export async function stat(path: unknown): Promise<Stats | undefined> {
  return statSync(path);
}

export async function access(path: unknown, mode?: number): Promise<void> {
  accessSync(path, mode);
}

export async function readdir(path: unknown, options?: ListOptions | string | null): Promise<string[] | Dirent[]> {
  return readdirSync(path, options);
}

/** The module `node:fs/promises` of a script. */
export const promises = { readFile, readdir, stat, lstat: stat, access, constants };

/** The module `node:fs` of a script. */
export const fs = {
  readFileSync,
  readdirSync,
  statSync,
  lstatSync: statSync,
  existsSync,
  accessSync,
  constants,
  promises,
  Stats,
  Dirent,
};
