/**
 * Temporary folders of this process: what is made in them belongs to it alone, and what a killed process left behind is
 * removed by the next one that makes a folder.
 *
 * Invariants:
 * 1. A folder is swept only when its name says whose it was, that process is gone, and only this process's user could
 *    have put anything into it (the folder for temporary files belongs to everybody).
 * 2. Nobody but root and this process's user can put another folder in the place of one that was made.
 */
import { lstat, mkdtemp, readdir, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { isGone, readOwnName } from "./owner.ts";

/** Part of a folder's name, so that people see what left it behind. */
export type FolderKind = "sandbox" | "sqlite" | "bundler";

/** `slipway-KIND-OWNER-XXXXXX`. */
const NAME = /^slipway-(?:sandbox|sqlite|bundler)-(.*)-[^-]*$/;

/** Write permission of group and others. */
const FOREIGN_WRITE = 0o022;

/** Only the owner of an entry removes or renames it, whoever may write the directory. */
const STICKY = 0o1000;

/**
 * Makes a folder (0700) for this process, its path without symlinks; what dead processes left is removed first. Rejects
 * where another user could replace it.
 */
export async function makePrivateFolder(kind: FolderKind): Promise<string> {
  const parent = await realpath(tmpdir());
  await requireOwnWay(parent);
  await sweepFolders(parent);
  return mkdtemp(join(parent, `slipway-${kind}-${readOwnName()}-`));
}

/** Looks at every directory of a path without links. */
async function requireOwnWay(path: string): Promise<void> {
  const { uid, mode } = await lstat(path);
  const isTrusted = uid === 0 || uid === process.getuid?.();
  if (!isTrusted || ((mode & FOREIGN_WRITE) !== 0 && (mode & STICKY) === 0)) {
    throw new Error(`other users can rename what lies in "${path}", set TMPDIR to a folder only the engine can write`);
  }
  if (dirname(path) !== path) await requireOwnWay(dirname(path));
}

/** Removes a folder and what is in it, whatever writes to it meanwhile; a folder that can't be removed is left. */
export async function removeFolder(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
}

async function sweepFolders(parent: string): Promise<void> {
  const names = await readdir(parent);
  await Promise.all(names.filter(isStale).map((name) => sweep(join(parent, name))));
}

async function sweep(path: string): Promise<void> {
  const stats = await lstat(path).catch(() => null);
  const own = stats?.isDirectory() && stats.uid === process.getuid?.() && (stats.mode & FOREIGN_WRITE) === 0;
  if (own) await removeFolder(path);
}

function isStale(name: string): boolean {
  const [, owner] = NAME.exec(name) ?? [];
  return owner !== undefined && isGone(owner);
}
