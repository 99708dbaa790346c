/** Which declared directories are an app's own, so that they may go with it. Pure. */
import { posix } from "node:path";
import { isAtOrBelow } from "../../../core/plan/directory-path.ts";
import type { PlannedDirectory } from "../../../core/plan/plan.ts";
import type { AppPaths } from "./app-paths.ts";
import { namesPath } from "./names-path.ts";

interface Around {
  /** Host paths. */
  readonly locations: readonly string[];
  /** Other ones, installed or about to be. */
  readonly apps: readonly AppPaths[];
  /** By tasks, each with the app it was made for. */
  readonly made: ReadonlyMap<string, string>;
}

/**
 * Why a directory is not to be removed with its app: it is a location, holds one, another app uses it, or data of another
 * one lies in it, which may be uninstalled; else null.
 */
export function explainNotOwn(path: string, appId: string, { locations, apps, made }: Around): string | null {
  const wanted = posix.resolve("/", path);
  const location = locations.find((one) => isAtOrBelow(posix.resolve("/", one), wanted));
  if (location !== undefined) return `it is, or holds, the location "${location}"`;
  const user = apps.find(
    ({ paths, texts }) =>
      texts.some((text) => namesPath(text, wanted)) ||
      paths
        .map((used) => posix.resolve("/", used))
        .some((used) => isAtOrBelow(used, wanted) || isAtOrBelow(wanted, used)),
  );
  if (user !== undefined) return `"${user.title ?? user.appId}" uses it`;
  const owner = [...made].find(([other, owner]) => owner !== appId && isAtOrBelow(other, wanted));
  return owner === undefined ? null : `"${owner[1]}" has data in it`;
}

/** A directory of an app, and why it stays; null: it goes. */
export interface OwnDirectory {
  readonly path: string;
  readonly stays: string | null;
  /** By a task of the app. */
  readonly isMade: boolean;
}

/**
 * Decides about every declared directory below a location, the innermost first: only those the app's tasks have made are
 * its own. Those in `withheld` stay for its reason; one that holds another that stays, stays too. What tasks have made and
 * the script does not declare any more stays.
 */
export function decideOwnDirectories(
  directories: readonly Pick<PlannedDirectory, "path" | "root">[],
  appId: string,
  { withheld, ...around }: Around & { readonly withheld: ReadonlyMap<string, string> },
): readonly OwnDirectory[] {
  const paths = [...new Set(directories.filter(({ root }) => !root).map(({ path }) => path))];
  const decided: OwnDirectory[] = [];
  for (const path of paths.toSorted((a, b) => b.length - a.length)) {
    const held = decided.find((other) => other.stays !== null && isAtOrBelow(other.path, path));
    const isMade = around.made.get(path) === appId;
    const stays = isMade
      ? (explainNotOwn(path, appId, around) ??
        withheld.get(path) ??
        (held === undefined ? null : `it holds "${held.path}", which stays`))
      : "it was there before the app";
    decided.push({ path, stays, isMade });
  }
  return [...decided, ...listUndeclared(directories, appId, around.made, decided)];
}

/** What tasks have made for the app and its script does not name today, but for what lies in a directory that goes. */
function listUndeclared(
  directories: readonly Pick<PlannedDirectory, "path">[],
  appId: string,
  made: Around["made"],
  decided: readonly OwnDirectory[],
): readonly OwnDirectory[] {
  const isKnown = (path: string) =>
    directories.some((other) => other.path === path) ||
    decided.some((other) => other.stays === null && isAtOrBelow(other.path, path));
  const paths = [...made].flatMap(([path, owner]) => (owner === appId && !isKnown(path) ? [path] : []));
  return paths.map((path) => ({ path, stays: "its script does not name it", isMade: true }));
}
