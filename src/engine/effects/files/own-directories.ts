/** Which declared directories are an app's own, so that they may go with it. Pure. */
import { posix } from "node:path";
import { isAtOrBelow } from "../../../core/plan/directory-path.ts";
import { memoize } from "../../../core/plan/memoize.ts";
import type { PlannedDirectory } from "../../../core/plan/plan.ts";
import type { AppPaths } from "./app-paths.ts";
import type { DeclaredDirectory } from "./declared-directories.ts";
import { findNamedPaths } from "./names-path.ts";

/** What an app's directories are held against. */
export interface Around {
  /** Host paths. */
  readonly locations: readonly string[];
  /** Other ones, installed or about to be. */
  readonly apps: readonly AppPaths[];
  /** By other ones that are installed, in their scripts. */
  readonly declared: readonly DeclaredDirectory[];
  /** Where apps that are not installed any more have kept data, each with the app. */
  readonly kept: readonly (readonly [path: string, appId: string])[];
  /** By tasks, each with the app it was made for. */
  readonly made: ReadonlyMap<string, string>;
}

/**
 * Why a directory is not to be removed with its app: it is a location, holds one, another app uses it or names it in its
 * script, or data of another one lies in it, which may be uninstalled; else null.
 */
export function explainNotOwn(path: string, appId: string, around: Around): string | null {
  return createExplain([path], appId, around)(path);
}

/** `explainNotOwn` for several paths: the texts of each app are searched once for all of them. */
function createExplain(paths: readonly string[], appId: string, around: Around): (path: string) => string | null {
  const wanted = paths.map((path) => posix.resolve("/", path));
  const namedBy = memoize(({ texts }: AppPaths) => findNamedPaths(texts, wanted));
  return (path) => explain(path, appId, around, namedBy);
}

function explain(
  path: string,
  appId: string,
  { locations, apps, declared, kept, made }: Around,
  namedBy: (app: AppPaths) => ReadonlySet<string>,
): string | null {
  const wanted = posix.resolve("/", path);
  const location = locations.find((one) => isAtOrBelow(posix.resolve("/", one), wanted));
  if (location !== undefined) return `it is, or holds, the location "${location}"`;
  const user = apps.find(
    (app) =>
      namedBy(app).has(wanted) ||
      app.paths
        .map((used) => posix.resolve("/", used))
        .some((used) => isAtOrBelow(used, wanted) || isAtOrBelow(wanted, used)),
  );
  if (user !== undefined) return `"${user.title ?? user.appId}" uses it`;
  const partial = apps.find(({ isPartial }) => isPartial);
  if (partial !== undefined)
    return `"${partial.title ?? partial.name}" may use it: its entry, or where a mount of it lies, can't be read`;
  const named = declared.find(({ path: other }) => isAtOrBelow(other, wanted) || isAtOrBelow(wanted, other));
  if (named !== undefined) return explainDeclared(named);
  const owner = [...made, ...kept].find(([other, owner]) => owner !== appId && isAtOrBelow(other, wanted));
  return owner === undefined ? null : `"${owner[1]}" has data in it`;
}

function explainDeclared({ title, isKnown }: DeclaredDirectory): string {
  return isKnown ? `"${title}" names it in its script` : `"${title}" may use it: what its script names is not known`;
}

/** A directory of an app, and why it stays; null: it goes. */
export interface OwnDirectory {
  readonly path: string;
  readonly stays: string | null;
  /** By a task of the app. */
  readonly isMade: boolean;
}

/**
 * Decides about every declared directory below a location, and those made for the app that its script does not declare
 * any more, the innermost first: only what the app's tasks have made is its own. Those in `withheld` stay for its reason;
 * one that holds another that stays, stays too.
 */
export function decideOwnDirectories(
  directories: readonly Pick<PlannedDirectory, "path" | "root">[],
  appId: string,
  { withheld, ...around }: Around & { readonly withheld: ReadonlyMap<string, string> },
): readonly OwnDirectory[] {
  const declared = new Set(directories.filter(({ root }) => !root).map(({ path }) => path));
  const undeclared = listUndeclared(directories, appId, around.made);
  const decided: OwnDirectory[] = [];
  const paths = [...declared, ...undeclared].toSorted((a, b) => b.length - a.length);
  const explainOne = createExplain(paths, appId, around);
  for (const path of paths) {
    const held = decided.find((other) => other.stays !== null && isAtOrBelow(other.path, path));
    const isMade = around.made.get(path) === appId;
    const why = isMade
      ? (explainOne(path) ?? withheld.get(path) ?? (held === undefined ? null : `it holds "${held.path}", which stays`))
      : "it was there before the app";
    decided.push({ path, stays: declared.has(path) ? why : "its script does not name it", isMade });
  }
  return decided;
}

/** What tasks have made for the app and its script does not name today, but for what was made to hold what it names. */
export function listUndeclared(
  directories: readonly Pick<PlannedDirectory, "path">[],
  appId: string,
  made: Around["made"],
): readonly string[] {
  const own = [...made].flatMap(([path, owner]) => (owner === appId ? [path] : []));
  return own.filter((path) => !directories.some((declared) => isAtOrBelow(declared.path, path)));
}
