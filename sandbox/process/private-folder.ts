/**
 * Temporary folders of this process: what is made in them belongs to it alone, and what a killed process left behind is
 * removed by the next one that makes a folder.
 *
 * Invariant: a folder is swept only when its name says whose it was, that process is gone, and only this process's user
 * could have put anything into it (the folder for temporary files belongs to everybody).
 */
import { lstat, mkdtemp, readdir, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isGone, ownName } from "./owner.ts";

/** What folders are made for. */
type FolderKind = "sandbox" | "sqlite" | "bundler";

/** `slipway-KIND-OWNER-XXXXXX`. */
const NAME = /^slipway-(?:sandbox|sqlite|bundler)-(.*)-[^-]*$/;

/** Write permission of group and others. */
const FOREIGN_WRITE = 0o022;

/** Makes a folder (0700) for this process, its path without symlinks; what dead processes left is removed first. */
export async function makePrivateFolder(kind: FolderKind): Promise<string> {
  await sweepFolders();
  return realpath(await mkdtemp(join(tmpdir(), `slipway-${kind}-${ownName()}-`)));
}

/** Removes a folder and what is in it, whatever writes to it meanwhile; a folder that can't be removed is left. */
export async function removeFolder(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
}

async function sweepFolders(): Promise<void> {
  const names = await readdir(tmpdir());
  await Promise.all(names.filter(isStale).map((name) => sweep(join(tmpdir(), name))));
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
