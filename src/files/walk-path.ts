/** Looks at every entry a path leads over, as the kernel does when it opens the path. */
import { lstatSync, readlinkSync, type Stats } from "node:fs";
import { dirname, join } from "node:path";
import { isFault } from "./write-below.ts";

/** An entry on the way; `path` leads over no link. */
export interface PathEntry {
  readonly path: string;
  /** Its own facts, of a link those of the link; null: nothing is there. */
  readonly stats: Stats | null;
}

/** Most links followed, as in the kernel. */
const LINKS = 40;

/**
 * Every entry from `/` to the end of a path, with the links it leads over and what they lead to. A folder reached by `..` is
 * listed again. The list ends where nothing is there, or with the last link the kernel would follow. A relative path begins
 * in the working directory. Throws the system's error for an entry that can't be looked at.
 */
export function walkPath(path: string): readonly PathEntry[] {
  const todo = (path.startsWith("/") ? path : `${process.cwd()}/${path}`).split("/").reverse();
  const seen: PathEntry[] = [{ path: "/", stats: lstatSync("/") }];
  let here = "/";
  let links = 0;
  for (let name = todo.pop(); name !== undefined; name = todo.pop()) {
    if (name === "" || name === ".") continue;
    if (name === "..") {
      here = dirname(here);
      seen.push(look(here));
      continue;
    }
    const entry = look(join(here, name));
    seen.push(entry);
    if (entry.stats === null) return [...seen, ...nameMissing(entry.path, todo)];
    if (!entry.stats.isSymbolicLink()) {
      here = entry.path;
      continue;
    }
    links += 1;
    if (links > LINKS) return seen;
    const target = readlinkSync(entry.path);
    if (target.startsWith("/")) here = "/";
    todo.push(...target.split("/").reverse());
  }
  return seen;
}

function look(path: string): PathEntry {
  try {
    return { path, stats: lstatSync(path) };
  } catch (error) {
    if (isFault(error, "ENOENT", "ENOTDIR")) return { path, stats: null };
    throw error;
  }
}

/** Where a path ends whose first missing part has been found. */
function nameMissing(first: string, todo: readonly string[]): PathEntry[] {
  return todo.length === 0 ? [] : [{ path: join(first, ...todo.toReversed()), stats: null }];
}
