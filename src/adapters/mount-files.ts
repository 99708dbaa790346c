/**
 * Files of an app's mounts, for reading: no path leads out, whatever is renamed or linked meanwhile.
 *
 * Invariants:
 * 1. A file is read only through a descriptor whose resolved path was below the mount's own resolved path; the
 *    descriptor was opened with O_PATH, so that opening had no effect and waited for nothing (FIFOs, devices).
 * 2. Faults carry the path as the script wrote it and Node's codes.
 */
import { constants, type Stats } from "node:fs";
import { type FileHandle, open, opendir, readlink, realpath } from "node:fs/promises";
import { sep } from "node:path";
import type { Answered, Mount } from "../../sandbox/contract.ts";
import type { Fault, FileEntry, FileKind, FileStat } from "../../sandbox/ops.ts";

/** O_PATH of Linux; node:fs names it not. */
const O_PATH = 0o10000000;

/** Limits of one call. */
export interface FileLimits {
  /** Most bytes of one file. */
  readonly fileBytes: number;
  readonly directoryEntries: number;
}

/** Reads a whole regular file. */
export async function readMountFile(
  mounts: readonly Mount[],
  path: string,
  { fileBytes }: FileLimits,
): Promise<Answered<Uint8Array>> {
  return withPath(mounts, path, "open", async (handle) => {
    const stats = await handle.stat();
    if (stats.isDirectory()) return fault("EISDIR", "read", path);
    if (!stats.isFile()) return refused(path, "open", "only regular files are offered");
    const file = await open(descriptorPath(handle), constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      return await readWhole(file, stats.size, fileBytes);
    } finally {
      await file.close();
    }
  });
}

/** A file may grow while it is read, and one of /proc has no size: so it is read until its end. */
async function readWhole(file: FileHandle, size: number, most: number): Promise<Answered<Uint8Array>> {
  let buffer = Buffer.allocUnsafe(Math.min(size, most) + 1);
  let filled = 0;
  for (;;) {
    const { bytesRead } = await file.read(buffer, filled, buffer.length - filled);
    filled += bytesRead;
    if (filled > most) {
      return {
        error: { name: "Error", message: `a file is larger than the allowed ${most} bytes`, code: "quota_files" },
      };
    }
    if (bytesRead === 0) return { ok: buffer.subarray(0, filled) };
    if (filled === buffer.length) buffer = Buffer.concat([buffer], Math.min(filled * 2, most + 1));
  }
}

/** Names and kinds of what a directory holds. */
export async function listMountDirectory(
  mounts: readonly Mount[],
  path: string,
  { directoryEntries }: FileLimits,
): Promise<Answered<readonly FileEntry[]>> {
  return withPath(mounts, path, "scandir", async (handle) => {
    if (!(await handle.stat()).isDirectory()) return fault("ENOTDIR", "scandir", path);
    const entries: FileEntry[] = [];
    for await (const entry of await opendir(descriptorPath(handle))) {
      if (entries.length === directoryEntries) {
        const message = `a directory has more than the allowed ${directoryEntries} entries`;
        return { error: { name: "Error", message, code: "quota_directory" } };
      }
      entries.push({ name: entry.name, kind: kindOf(entry) });
    }
    return { ok: entries };
  });
}

/** Facts of a file or directory, symlinks followed inside the mount. */
export async function statMountPath(mounts: readonly Mount[], path: string): Promise<Answered<FileStat>> {
  return withPath(mounts, path, "stat", async (handle) => {
    const stats = await handle.stat();
    return { ok: { kind: kindOf(stats), size: stats.size, mtimeMs: stats.mtimeMs, mode: stats.mode } };
  });
}

/** Hands over a regular file as a path of this process that can't be changed under it, with its size. */
export async function withMountFile<T>(
  mounts: readonly Mount[],
  path: string,
  use: (fixedPath: string, stats: Stats) => Promise<Answered<T>>,
): Promise<Answered<T>> {
  return withPath(mounts, path, "open", async (handle) => {
    const stats = await handle.stat();
    if (!stats.isFile()) return refused(path, "open", "only regular files are offered");
    return use(descriptorPath(handle), stats);
  });
}

async function withPath<T>(
  mounts: readonly Mount[],
  path: string,
  syscall: string,
  use: (handle: FileHandle) => Promise<Answered<T>>,
): Promise<Answered<T>> {
  const mount = path.includes("\0") || path.split("/").includes("..") ? undefined : mountOf(mounts, path);
  if (mount === undefined) return outside(mounts, path, syscall);
  let handle: FileHandle | undefined;
  try {
    const root = await realpath(mount.localPath);
    handle = await open(mount.localPath + path.slice(mount.prefix.length), O_PATH);
    const resolved = await readlink(descriptorPath(handle));
    if (resolved !== root && !resolved.startsWith(root + sep)) return outside(mounts, path, syscall);
    return await use(handle);
  } catch (error) {
    const code = error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "EIO";
    return fault(code, syscall, path);
  } finally {
    await handle?.close();
  }
}

/** The mount a path lies in, by the engine's own or the host's name of it; the longest wins. */
function mountOf(mounts: readonly Mount[], path: string): { localPath: string; prefix: string } | undefined {
  return mounts
    .flatMap(({ localPath, hostPath }) => [
      { localPath: withoutSlash(localPath), prefix: withoutSlash(localPath) },
      { localPath: withoutSlash(localPath), prefix: withoutSlash(hostPath) },
    ])
    .filter(({ prefix }) => prefix !== "" && (path === prefix || path.startsWith(`${prefix}/`)))
    .sort((a, b) => b.prefix.length - a.prefix.length)[0];
}

function withoutSlash(path: string): string {
  return path.replace(/\/+$/, "");
}

function descriptorPath({ fd }: FileHandle): string {
  return `/proc/self/fd/${fd}`;
}

interface Kinds {
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}

function kindOf(entry: Kinds): FileKind {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "directory";
  return entry.isSymbolicLink() ? "symlink" : "other";
}

function outside<T>(mounts: readonly Mount[], path: string, syscall: string): Answered<T> {
  const allowed = mounts.map(({ localPath }) => localPath).join(", ");
  return refused(path, syscall, `outside of the app's mounts (${allowed === "" ? "it has none" : allowed})`);
}

function refused<T>(path: string, syscall: string, reason: string): Answered<T> {
  const message = `EACCES: ${reason}, ${syscall} '${path}'`;
  return { error: { name: "Error", message, code: "EACCES", syscall, path, refused: true } };
}

const TEXTS: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EIO: "i/o error",
  EISDIR: "illegal operation on a directory",
  ELOOP: "too many symbolic links encountered",
  ENAMETOOLONG: "name too long",
  ENOENT: "no such file or directory",
  ENOTDIR: "not a directory",
};

function fault<T>(code: string, syscall: string, path: string): Answered<T> {
  const message = `${code}: ${TEXTS[code] ?? "can't be read"}, ${syscall} '${path}'`;
  const error: Fault = { name: "Error", message, code, syscall, path };
  return { error };
}
