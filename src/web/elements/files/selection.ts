/** Which entries of a folder are selected. Folders are opened, everything else can be selected: the engine says what it takes. Pure. */
import type { FileEntry } from "../../api/types.ts";

/** Selected host paths, in the order they were selected. */
export type Selection = ReadonlySet<string>;

/** Whether an entry can be selected. */
export function isSelectable({ kind }: Pick<FileEntry, "kind">): boolean {
  return kind !== "folder";
}

/** Selects an entry or not, and with an anchor all that is shown between the two. */
export function select(
  selection: Selection,
  entries: readonly FileEntry[],
  { path, anchor, isOn }: { readonly path: string; readonly anchor?: string; readonly isOn: boolean },
): Selection {
  const shown = entries.filter(isSelectable).map((entry) => entry.path);
  const to = shown.indexOf(path);
  const from = anchor === undefined ? -1 : shown.indexOf(anchor);
  const range = from === -1 ? [path] : shown.slice(Math.min(from, to), Math.max(from, to) + 1);
  return change(selection, range, isOn);
}

/** Selects all that is shown, or none of it; what other pages show stays as it is. */
export function selectAll(selection: Selection, entries: readonly FileEntry[], isOn: boolean): Selection {
  return change(
    selection,
    entries.filter(isSelectable).map(({ path }) => path),
    isOn,
  );
}

/** Whether all, some or none of what is shown is selected. */
export function countSelected(selection: Selection, entries: readonly FileEntry[]): "all" | "some" | "none" {
  const shown = entries.filter(isSelectable);
  const selected = shown.filter(({ path }) => selection.has(path)).length;
  if (selected === 0) return "none";
  return selected === shown.length ? "all" : "some";
}

function change(selection: Selection, paths: readonly string[], isOn: boolean): Selection {
  return isOn ? selection.union(new Set(paths)) : selection.difference(new Set(paths));
}
