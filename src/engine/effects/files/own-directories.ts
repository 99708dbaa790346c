/** Which declared directories are an app's own, so that they may go with it. Pure. */
import { posix } from "node:path";
import { isAtOrBelow } from "../../../core/plan/is-at-or-below.ts";
import type { PlannedDirectory } from "../../../core/plan/plan.ts";
import type { AppPaths } from "./app-paths.ts";

interface Around {
  /** Host paths. */
  readonly locations: readonly string[];
  /** Those installed. */
  readonly apps: readonly AppPaths[];
}

/** Why a directory is not to be removed with its app: it is a location, holds one, or another app uses it; else null. */
export function explainNotOwn(path: string, { locations, apps }: Around): string | null {
  const wanted = posix.resolve("/", path);
  const location = locations.find((one) => isAtOrBelow(posix.resolve("/", one), wanted));
  if (location !== undefined) return `it is, or holds, the location "${location}"`;
  const user = apps.find(({ paths }) =>
    paths
      .map((used) => posix.resolve("/", used))
      .some((used) => isAtOrBelow(used, wanted) || isAtOrBelow(wanted, used)),
  );
  return user === undefined ? null : `"${user.title ?? user.appId}" uses it`;
}

/** A declared directory, and why it stays; null: it goes. */
export interface OwnDirectory {
  readonly path: string;
  readonly stays: string | null;
  /** By a task of the app. */
  readonly isMade: boolean;
}

/**
 * Decides about every declared directory below a location, the innermost first: only those the app's tasks have `made`
 * are its own. One that holds another that stays, stays too.
 */
export function decideOwnDirectories(
  directories: readonly Pick<PlannedDirectory, "path" | "root">[],
  made: ReadonlySet<string>,
  around: Around,
): readonly OwnDirectory[] {
  const paths = [...new Set(directories.filter(({ root }) => !root).map(({ path }) => path))];
  const decided: OwnDirectory[] = [];
  for (const path of paths.toSorted((a, b) => b.length - a.length)) {
    const held = decided.find((other) => other.stays !== null && isAtOrBelow(other.path, path));
    const stays = made.has(path)
      ? (explainNotOwn(path, around) ?? (held === undefined ? null : `it holds "${held.path}", which stays`))
      : "it was there before the app";
    decided.push({ path, stays, isMade: made.has(path) });
  }
  return decided;
}
