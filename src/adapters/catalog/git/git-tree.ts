/** An entry of a tree of git's. */
export interface TreeEntry {
  readonly isRegularFile: boolean;
  /** Object id. */
  readonly id: string;
  /** 0 for what is no file. */
  readonly bytes: number;
  /** From the top of the checkout. */
  readonly path: string;
}

/**
 * Reads `git ls-tree -z --long`, whose entries are `<mode> <type> <id> <bytes>\t<path>`. What stands behind the last end of an
 * entry was cut off.
 */
export function readTree(listed: string): readonly TreeEntry[] {
  return listed.split("\0").slice(0, -1).map(readEntry);
}

function readEntry(entry: string): TreeEntry {
  const [, mode = "", id = "", bytes = "", path = ""] = /^(\d+) \w+ ([0-9a-f]+) +(\d+|-)\t(.+)$/s.exec(entry) ?? [];
  return { isRegularFile: /^100(?:644|755)$/.test(mode), id, bytes: bytes === "-" ? 0 : Number(bytes), path };
}
