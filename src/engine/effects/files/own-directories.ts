/** Which declared directories are an app's own, so that they may go with it. Asks the host through path-names.ts alone. */
import { posix } from "node:path";
import { isAtOrBelow } from "../../../core/plan/directory-path.ts";
import { memoize } from "../../../core/plan/memoize.ts";
import type { PlannedDirectory } from "../../../core/plan/plan.ts";
import type { AppPaths } from "./app-paths.ts";
import type { DeclaredDirectory } from "./declared-directories.ts";
import { findNamedPaths } from "./names-path.ts";
import { type PathNames, spell } from "./path-names.ts";

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
  /** Which of these paths are one, whatever their spelling. */
  readonly names: PathNames;
}

/**
 * Why a directory is not to be removed with its app: it is a location, holds one, another app uses it or names it in its
 * script, or data of another one lies in it, which may be uninstalled; else null. `spellings`: the path as declared, and with
 * all links resolved, as texts of other apps may have it. Asks the host what stands there.
 */
export async function findNotOwn(spellings: readonly string[], appId: string, around: Around): Promise<string | null> {
  const explainOne = await lookAtOwn(spellings, appId, around);
  for (const path of spellings) {
    const why = explainOne(path);
    if (why !== null) return why;
  }
  return null;
}

/** Prepares the reasons of several paths: the texts of each app are searched once for all of them. */
async function lookAtOwn(
  paths: readonly string[],
  appId: string,
  around: Around,
): Promise<(path: string) => string | null> {
  for (const path of paths) await around.names.lookAtOwn(path);
  const wanted = paths.map((path) => posix.resolve("/", path));
  const namedBy = memoize(({ texts }: AppPaths) => findNamed(texts, wanted, around.names));
  return (path) => explain(path, appId, around, namedBy);
}

/** Those of the paths that texts name, in another case too where that may be the same. */
function findNamed(texts: readonly string[], paths: readonly string[], names: PathNames): ReadonlySet<string> {
  const named = [...Map.groupBy(paths, (path) => names.ignoresCase(path))].map(([ignoresCase, some]) => {
    const spelled = some.map((path) => [path, spell(path, ignoresCase)] as const);
    const found = findNamedPaths(
      texts.map((text) => spell(text, ignoresCase)),
      spelled.map(([, written]) => written),
    );
    return spelled.flatMap(([path, written]) => (found.has(written) ? [path] : []));
  });
  return new Set(named.flat());
}

function explain(
  path: string,
  appId: string,
  around: Around,
  namedBy: (app: AppPaths) => ReadonlySet<string>,
): string | null {
  const { locations, apps, declared, kept, made, names } = around;
  const wanted = posix.resolve("/", path);
  if (!names.isKnown(wanted)) return "the host does not tell what stands there";
  const location = locations.find((one) => names.isAtOrBelow(one, wanted));
  if (location !== undefined) return `it is, or holds, the location "${location}"`;
  const touches = (other: string) => names.isAtOrBelow(other, wanted) || names.isAtOrBelow(wanted, other);
  const user = apps.find((app) => namedBy(app).has(wanted) || app.paths.some(touches));
  if (user !== undefined) return `"${user.title ?? user.appId}" uses it`;
  const partial = apps.find(({ isPartial }) => isPartial);
  if (partial !== undefined)
    return `"${partial.title ?? partial.name}" may use it: its entry, or where a mount of it lies, can't be read`;
  const named = declared.find(({ path: other }) => touches(other));
  if (named !== undefined) return explainDeclared(named);
  const owner = [...made, ...kept].find(([other, owner]) => owner !== appId && names.isAtOrBelow(other, wanted));
  if (owner !== undefined) return `"${owner[1]}" has data in it`;
  return explainUnknown(around, appId);
}

/** A path of another app that the host tells nothing about may be the same directory. */
function explainUnknown({ locations, apps, declared, kept, made, names }: Around, appId: string): string | null {
  const location = locations.find((one) => !names.isKnown(one));
  if (location !== undefined)
    return `it may be, or hold, the location "${location}", which the host does not tell about`;
  const unknown = [
    ...apps.flatMap(({ appId, title = appId, paths }) => paths.map((path) => [path, title] as const)),
    ...declared.map(({ path, title }) => [path, title] as const),
    ...[...made, ...kept].filter(([, owner]) => owner !== appId),
  ].find(([path]) => !names.isKnown(path));
  if (unknown === undefined) return null;
  return `"${unknown[1]}" may use it: the host does not tell what stands at "${unknown[0]}"`;
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
export async function decideOwnDirectories(
  directories: readonly Pick<PlannedDirectory, "path" | "root">[],
  appId: string,
  { withheld, ...around }: Around & { readonly withheld: ReadonlyMap<string, string> },
): Promise<readonly OwnDirectory[]> {
  const declared = new Set(directories.filter(({ root }) => !root).map(({ path }) => path));
  const undeclared = listUndeclared(directories, appId, around.made);
  const decided: OwnDirectory[] = [];
  const own = [...declared].filter((path) => around.made.get(path) === appId);
  const explainOne = await lookAtOwn(own, appId, around);
  for (const path of [...declared, ...undeclared].toSorted((a, b) => b.length - a.length)) {
    const isMade = around.made.get(path) === appId;
    const why = isMade ? (explainOne(path) ?? withheld.get(path) ?? null) : "it was there before the app";
    decided.push({ path, stays: declared.has(path) ? why : "its script does not name it", isMade });
  }
  return decided.map((one) => {
    if (one.stays !== null) return one;
    const held = decided.find(({ path, stays }) => stays !== null && around.names.isAtOrBelow(path, one.path));
    return held === undefined ? one : { ...one, stays: `it holds "${held.path}", which stays` };
  });
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
