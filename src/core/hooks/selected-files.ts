/** Which of the paths a person selects may be given to a hook at all, whatever the hook takes (docs/install-scripts.md, "FileTarget"). Pure. */
import { isAtOrBelow, normalisePath } from "../plan/directory-path.ts";

/** A selected path as the host finds it. */
export interface FoundPath {
  readonly type: string;
  /** Where its links lead. */
  readonly realpath: string;
}

/** The selected paths without doubles; those that can be compared are normalised. */
export function dedupePaths(selection: readonly string[]): readonly string[] {
  return [...new Set(selection.map((path) => (checkWrittenPath(path) === null ? normalisePath(path) : path)))];
}

/** Refuses a path by its text alone; null where it may be looked at. */
export function checkWrittenPath(path: string): string | null {
  if (!path.startsWith("/")) return `"${path}" is not an absolute path`;
  if (path.includes("\0")) return `${JSON.stringify(path)} holds a zero character`;
  return path.split("/").includes("..") ? `"${path}" holds ".."` : null;
}

/** Why a path is refused, or null: it must lead to a file at or below one of `roots`, also where a link leads. */
export function checkFoundPath(path: string, found: FoundPath | null, roots: readonly string[]): string | null {
  if (found === null) return `"${path}" does not exist`;
  if (found.type !== "FILE") return `"${path}" is not a file`;
  const isInside = [path, found.realpath].every((place) => roots.some((root) => isAtOrBelow(place, root)));
  return isInside ? null : `"${path}" lies outside every mount`;
}
