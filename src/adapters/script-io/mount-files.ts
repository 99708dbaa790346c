/**
 * Files of an app's mounts, for reading: no path leads out, whatever the app renames or links meanwhile.
 *
 * Invariants:
 * 1. A way begins at the location a mount lies below, which no app can replace, and goes down step by step
 *    (sandbox/files/open-below.ts): to the mount no link is followed, in it those that stay inside.
 * 2. Faults carry the path as the script wrote it and Node's codes.
 */
import type { Stats } from "node:fs";
import { type FileHandle, opendir } from "node:fs/promises";
import type { Answered, Mount } from "../../../sandbox/contract.ts";
import {
  type Below,
  type OpenError,
  type Opened,
  openBelow,
  openFileBelow,
  toDescriptorPath,
} from "../../../sandbox/files/open-below.ts";
import { readUpTo } from "../../../sandbox/files/read-below.ts";
import { readCode } from "../../../sandbox/files/read-code.ts";
import type { FileEntry, FileKind, FileStat } from "../../../sandbox/protocol/ops.ts";
import { answerError, refuseAccess, refuseOutside } from "./mount-faults.ts";

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
  return withPath(mounts, path, "open", openFileBelow, async ({ handle, stats }) => {
    const bytes = stats.size > fileBytes ? null : await readUpTo(handle, stats.size, fileBytes);
    if (bytes !== null) return { ok: bytes };
    const message = `a file is larger than the allowed ${fileBytes} bytes`;
    return { error: { name: "Error", message, code: "quota_files" } };
  });
}

/** Names and kinds of what a directory holds. */
export async function listMountDirectory(
  mounts: readonly Mount[],
  path: string,
  { directoryEntries }: FileLimits,
): Promise<Answered<readonly FileEntry[]>> {
  return withPath(mounts, path, "scandir", openBelow, async ({ handle, stats }) => {
    if (!stats.isDirectory()) return answerError("ENOTDIR", "scandir", path);
    const entries: FileEntry[] = [];
    for await (const entry of await opendir(toDescriptorPath(handle))) {
      if (entries.length === directoryEntries) {
        const message = `a directory has more than the allowed ${directoryEntries} entries`;
        return { error: { name: "Error", message, code: "quota_directory" } };
      }
      entries.push({ name: entry.name, kind: readKind(entry) });
    }
    return { ok: entries };
  });
}

/** Facts of a file or directory, symlinks followed inside the mount. */
export async function statMountPath(mounts: readonly Mount[], path: string): Promise<Answered<FileStat>> {
  return withPath(mounts, path, "stat", openBelow, async ({ stats }) => {
    return { ok: { kind: readKind(stats), size: stats.size, mtimeMs: stats.mtimeMs, mode: stats.mode } };
  });
}

/** Hands over a regular file, open for reading: what it names can't be changed any more, what it holds can. */
export async function withMountFile<T>(
  mounts: readonly Mount[],
  path: string,
  use: (file: FileHandle, stats: Stats) => Promise<Answered<T>>,
): Promise<Answered<T>> {
  return withPath(mounts, path, "open", openFileBelow, ({ handle, stats }) => use(handle, stats));
}

async function withPath<T>(
  mounts: readonly Mount[],
  path: string,
  syscall: string,
  open: (below: Below) => Promise<Opened | OpenError>,
  use: (opened: Opened) => Promise<Answered<T>>,
): Promise<Answered<T>> {
  const place = path.includes("\0") || path.split("/").includes("..") ? undefined : findPlace(mounts, path);
  if (place === undefined) return refuseOutside(mounts, path, syscall);
  const { mount } = place;
  const below = toBelowLocation(place);
  if (below === null) {
    return refuseAccess(path, syscall, `the mount "${mount.hostPath}" lies below none of the host's locations`);
  }
  const opened = await open(below);
  if (!opened.ok) {
    switch (opened.code) {
      case "OUTSIDE":
        return refuseOutside(mounts, path, syscall);
      case "LINKED":
        return refuseAccess(path, syscall, `the mount "${mount.hostPath}" is, or lies behind, a symbolic link`);
      case "NOT_FILE":
        return refuseAccess(path, syscall, "only regular files are offered");
      default:
        return answerError(opened.code, opened.code === "EISDIR" ? "read" : syscall, path);
    }
  }
  try {
    return await use(opened);
  } catch (error) {
    return answerError(readCode(error), syscall, path);
  } finally {
    await opened.handle.close();
  }
}

/** A mount, and the path asked for from it on. */
interface Place {
  readonly mount: Mount;
  readonly rest: string;
}

/** The mount a path lies in, by the engine's own or the host's name of it; the longest wins. */
function findPlace(mounts: readonly Mount[], path: string): Place | undefined {
  return mounts
    .flatMap((mount) => [mount.localPath, mount.hostPath].map((name) => ({ mount, prefix: withoutSlash(name) })))
    .filter(({ prefix }) => prefix !== "" && (path === prefix || path.startsWith(`${prefix}/`)))
    .sort((a, b) => b.prefix.length - a.prefix.length)
    .map(({ mount, prefix }) => ({ mount, rest: path.slice(prefix.length) }))[0];
}

/** The way from the mount's location; null where it has none it lies in. */
function toBelowLocation({ mount, rest }: Place): Below | null {
  const { location, hostPath } = mount;
  if (location === null) return null;
  const root = withoutSlash(location);
  const localPath = withoutSlash(mount.localPath);
  if (localPath !== root && !localPath.startsWith(`${root}/`)) return null;
  return { root: location, fixed: localPath.slice(root.length), path: rest, names: [withoutSlash(hostPath)] };
}

function withoutSlash(path: string): string {
  return path.replace(/\/+$/, "");
}

interface Kinds {
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}

function readKind(entry: Kinds): FileKind {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "directory";
  return entry.isSymbolicLink() ? "symlink" : "other";
}
