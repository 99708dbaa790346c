import type { FileTarget } from "../script/dictionary.ts";

/** A selected file as a hook sees it (docs/decisions.md, section 5). */
export interface TargetFile {
  /** Host path. */
  readonly path: string;
  /** Where the app sees it; null when no live mount holds it. */
  readonly containerPath: string | null;
  readonly name: string;
  /** The accepted extension it matched, lower case with its dot. */
  readonly extension: string;
}

export type TargetedFiles =
  | { readonly state: "hidden" }
  | { readonly state: "disabled"; readonly reason: string }
  | { readonly state: "enabled"; readonly files: readonly TargetFile[] };

/** A mount, as far as paths are matched with it. */
export interface PathMapping {
  readonly hostPath: string;
  readonly containerPath: string | null;
  /** Another path the same directory has. */
  readonly realPath?: string;
}

/**
 * Matches a selection with a hook's target: hidden unless every file matches, disabled where a file has a fault, beyond
 * `maxFiles`, or where one lies in no live mount although the hook requires one (docs/install-scripts.md, "FileTarget").
 */
export function matchTargetFiles(
  target: FileTarget,
  selection: readonly string[],
  mounts: readonly PathMapping[],
  faults: Readonly<Record<string, string>> = {},
): TargetedFiles {
  if (selection.length === 0) return { state: "hidden" };
  const files: TargetFile[] = [];
  for (const path of selection) {
    const name = path.slice(path.lastIndexOf("/") + 1);
    const extension = findLongestMatch(target.accepts, name.toLowerCase());
    if (extension === null) return { state: "hidden" };
    files.push({ path, containerPath: toContainerPath(path, mounts), name, extension });
  }
  const faulty = selection.find((path) => Object.hasOwn(faults, path));
  if (faulty !== undefined) return { state: "disabled", reason: faults[faulty] ?? "" };
  if (target.maxFiles !== undefined && files.length > target.maxFiles) {
    return { state: "disabled", reason: `takes at most ${target.maxFiles} files at once` };
  }
  const unreachable = files.find((file) => file.containerPath === null);
  if (target.requiresTargetMount && unreachable !== undefined) {
    return { state: "disabled", reason: `the app can't reach "${unreachable.name}"` };
  }
  return { state: "enabled", files };
}

/** Why no hook with this target is offered for a selection; null where it is. */
export function explainMismatch({ accepts }: FileTarget, selection: readonly string[]): string | null {
  const accepted = accepts.join(", ");
  if (selection.length === 0) return `no file is selected; it takes ${accepted}`;
  const names = selection.map((path) => path.slice(path.lastIndexOf("/") + 1));
  const other = names.find((name) => findLongestMatch(accepts, name.toLowerCase()) === null);
  return other === undefined ? null : `it takes ${accepted}, which "${other}" is not`;
}

/** Where an app sees a host path: through the mount with the longest source that holds it (docs/host-api.md, section 6). */
export function toContainerPath(path: string, mounts: readonly PathMapping[]): string | null {
  let best: { hostPath: string; containerPath: string } | null = null;
  const names = mounts.flatMap(({ hostPath, realPath = hostPath, containerPath }) =>
    [...new Set([hostPath, realPath])].map((name) => ({ hostPath: name, containerPath })),
  );
  for (const { hostPath, containerPath: inside } of names) {
    if (inside === null || (path !== hostPath && !path.startsWith(`${hostPath}/`))) continue;
    if (best === null || hostPath.length > best.hostPath.length) best = { hostPath, containerPath: inside };
  }
  return best === null ? null : `${best.containerPath.replace(/\/$/, "")}${path.slice(best.hostPath.length)}`;
}

function findLongestMatch(accepts: readonly string[], name: string): string | null {
  let best: string | null = null;
  for (const extension of accepts) {
    if (name.endsWith(extension) && extension.length > (best?.length ?? 0)) best = extension;
  }
  return best;
}
