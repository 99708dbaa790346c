/**
 * Folders below the host's locations, on this machine: their content is the apps', which may arrange it as they like.
 *
 * Invariants:
 * 1. The folder is opened step by step from its root (sandbox/files/open-below.ts) and read through its descriptor, what
 *    stands in it by one name from there, links not followed; a link is walked anew from the root.
 * 2. Of what a folder holds a page is kept, whatever it holds.
 */
import type { Stats } from "node:fs";
import { type FileHandle, lstat, opendir } from "node:fs/promises";
import { openBelow, toDescriptorPath } from "../../sandbox/files/open-below.ts";
import { readCode } from "../../sandbox/files/read-code.ts";
import type { FolderEntry, FolderFault, FolderPage, FolderQuestion, Folders } from "../engine/ports/folders.ts";
import { removeFolder } from "./remove-folder.ts";

/** Entries of one folder that are looked at. */
const LOOK_LIMIT = 200_000;
/** Entries whose facts are asked for at once: each link holds three descriptors meanwhile. */
const AT_ONCE = 32;
/** Stands for what is no text in a name: by such a name nothing can be asked for. */
const NO_TEXT = "\uFFFD";

/** Makes the folders of this machine; `lookLimit`: entries of one folder that are looked at. */
export function createLocalFolders(lookLimit = LOOK_LIMIT): Folders {
  return { list: (question) => listFolder(question, lookLimit), remove: removeFolder };
}

async function listFolder(question: FolderQuestion, lookLimit: number): Promise<FolderPage | FolderFault> {
  const { root, path, names } = question;
  const opened = await openBelow({ root, path, names });
  if (!opened.ok) return { ok: false, fault: toFault(opened.code) };
  const { handle, stats } = opened;
  try {
    if (!stats.isDirectory()) return { ok: false, fault: "not a folder" };
    const { keys, next, whole } = await pickKeys(handle, question, lookLimit);
    const entries: FolderEntry[] = [];
    for (let at = 0; at < keys.length; at += AT_ONCE) {
      const some = keys.slice(at, at + AT_ONCE).map((key) => readEntry(handle, key, question));
      for (const entry of await Promise.all(some)) if (entry !== null) entries.push(entry);
    }
    return { ok: true, entries, ...(next !== undefined && { next }), whole };
  } catch (error) {
    return { ok: false, fault: toFault(readCode(error)) };
  } finally {
    await handle.close();
  }
}

/** The keys of a page, in order: of all that was seen only so many are held. */
async function pickKeys(
  handle: FileHandle,
  { after = "", limit }: FolderQuestion,
  lookLimit: number,
): Promise<{ readonly keys: readonly string[]; readonly next: string | undefined; readonly whole: boolean }> {
  const keys: string[] = [];
  let more = false;
  let seen = 0;
  for await (const entry of await opendir(toDescriptorPath(handle), { bufferSize: 1_024 })) {
    seen += 1;
    if (seen > lookLimit) break;
    const key = toKey(entry.isDirectory(), entry.name);
    if (key <= after) continue;
    if (keys.length === limit) {
      more = true;
      if (key >= (keys.at(-1) ?? "")) continue;
      keys.pop();
    }
    keys.splice(findPlace(keys, key), 0, key);
  }
  return { keys, next: more ? keys.at(-1) : undefined, whole: seen <= lookLimit };
}

/** null where it has gone meanwhile. */
async function readEntry(handle: FileHandle, key: string, question: FolderQuestion): Promise<FolderEntry | null> {
  const name = toName(key);
  try {
    const stats = await lstat(`${toDescriptorPath(handle)}/${name}`);
    if (!stats.isSymbolicLink()) return { name, isLink: false, ...describe(stats) };
    const { root, path, names } = question;
    const end = await openBelow({ root, path: `${path}/${name}`, names });
    if (!end.ok) return { name, isLink: true, kind: "link" };
    await end.handle.close();
    return { name, isLink: true, ...describe(end.stats) };
  } catch (error) {
    if (readCode(error) === "ENOENT" && !name.includes(NO_TEXT)) return null;
    return { name, isLink: false, kind: "other" };
  }
}

function describe(stats: Stats): Pick<FolderEntry, "kind" | "size" | "modified"> {
  const modified = stats.mtimeMs;
  if (stats.isFile()) return { kind: "file", size: stats.size, modified };
  return { kind: stats.isDirectory() ? "folder" : "other", modified };
}

function toKey(isFolder: boolean, name: string): string {
  return `${isFolder ? 0 : 1}/${name}`;
}

function toName(key: string): string {
  return key.slice(2);
}

/** Where a key belongs among those in order. */
function findPlace(keys: readonly string[], key: string): number {
  let [from, to] = [0, keys.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((keys[middle] ?? "") < key) from = middle + 1;
    else to = middle;
  }
  return from;
}

function toFault(code: string): FolderFault["fault"] {
  switch (code) {
    case "OUTSIDE":
    case "LINKED":
      return "outside";
    case "ENOENT":
      return "missing";
    case "ENOTDIR":
      return "not a folder";
    default:
      return "unreadable";
  }
}
