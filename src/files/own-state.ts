/**
 * Decides whether state on the disk is this user's own. A database or a stand-in's folder is obeyed like a program, so its
 * name alone is no reason to trust it: a cloned catalog may have brought it, or another user may have put it there.
 *
 * Invariant: what is not trusted is refused. Nothing is repaired, moved or deleted.
 */
import { existsSync, type Stats } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { EngineError } from "../core/codes/problems.ts";
import { isAtOrBelow } from "../core/plan/directory-path.ts";
import { isPrivateGroup } from "./private-group.ts";
import { walkPath } from "./walk-path.ts";

const EVERYONE_WRITES = 0o002;
const GROUP_WRITES = 0o020;
const STICKY = 0o1000;

/**
 * Throws `STORE_UNTRUSTED` when somebody but this user and root could have written a file or folder, or could have put it
 * where it is. What does not exist yet is judged by the folders above it; `missing` says what is made then. Throws the
 * system's error for an entry on the way that can't be looked at.
 */
export function assertOwnState(path: string, missing: "file" | "folder" = "file"): void {
  const entries = walkPath(path);
  for (const [at, { path: place, stats }] of entries.entries()) {
    if (stats === null) return;
    const next = entries[at + 1];
    const isFolderNext = next?.stats == null ? next !== undefined && missing === "folder" : next.stats.isDirectory();
    const fault = findFault(stats, isFolderNext);
    if (fault === null) continue;
    throw new EngineError("STORE_UNTRUSTED", `"${path}" may be another user's work: "${place}" ${fault}`, {
      file: path,
    });
  }
}

/**
 * Throws `STORE_IN_CATALOG` for a path inside the catalog, or inside a git work tree that holds the catalog or a link to it.
 * Without a catalog every work tree on the way counts: nothing says that its files are no clone's. Throws the system's error
 * for an entry that can't be looked at.
 */
export function assertOutsideCatalog(path: string, catalog: string | null): void {
  const places = walkPath(path).map((entry) => entry.path);
  const folders =
    catalog === null ? places.flatMap((place) => findWorkTrees(dirname(place))) : listBringingFolders(catalog);
  for (const folder of folders) {
    if (!places.some((place) => isAtOrBelow(place, folder))) continue;
    const where = catalog === null ? "a git work tree" : "the catalog or a git work tree around it";
    throw new EngineError("STORE_IN_CATALOG", `"${path}" lies in ${where}, "${folder}"`, { file: path });
  }
}

/** Why others could change an entry, or what it leads to next; null: they can't. */
function findFault(stats: Stats, isFolderNext: boolean): string | null {
  const own = process.geteuid?.() ?? stats.uid;
  if (stats.uid !== own && stats.uid !== 0) return `belongs to the user ${stats.uid}`;
  // the mode of a link means nothing
  if (stats.isSymbolicLink()) return null;
  // In a sticky folder nobody replaces the folder of another user, but everyone may put files beside a file.
  if ((stats.mode & STICKY) !== 0 && isFolderNext) return null;
  if ((stats.mode & EVERYONE_WRITES) !== 0) return "can be written by everyone";
  if ((stats.mode & GROUP_WRITES) !== 0 && !isPrivateGroup(stats.gid, stats.uid)) {
    return `can be written by the group ${stats.gid}`;
  }
  return null;
}

/** The catalog, and the work trees of every entry its path leads over: a clone may also bring a link to it. */
function listBringingFolders(catalog: string): readonly string[] {
  const places = walkPath(catalog).map(({ path }) => path);
  return [places.at(-1) ?? catalog, ...places.flatMap(findWorkTrees)];
}

/**
 * Every git work tree a folder lies in: a submodule lies in two. A home folder that is one, as of those who keep their
 * settings in git, does not count: it is no clone of a catalog.
 */
function findWorkTrees(folder: string): readonly string[] {
  const above = folder === dirname(folder) ? [] : findWorkTrees(dirname(folder));
  return existsSync(join(folder, ".git")) && !isAtOrBelow(homedir(), folder) ? [folder, ...above] : above;
}
