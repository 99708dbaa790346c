/** Names of SMB shares as the host takes them (docs/host-api.md, section 8). Pure. */
/** Most characters of a name. */
const LIMIT = 80;

/** Names the host keeps for itself. */
const RESERVED: ReadonlySet<string> = new Set(["global", "printers", "homes", "admin$", "ipc$"]);

const FORBIDDEN = /[\p{Cc}\\/[\]:|<>+=;,*?"%]/gu;

/** True for a name the host takes if no other share has it. */
export function isShareName(name: string): boolean {
  const { length } = [...name];
  return length > 0 && length <= LIMIT && name.search(FORBIDDEN) === -1 && !RESERVED.has(name.toLowerCase());
}

/**
 * Derives the name of a directory's share: its last segment, with "-" for what a name may not hold, and a number if that
 * is reserved or `taken` (names in lower case).
 */
export function deriveShareName(path: string, taken: ReadonlySet<string>): string {
  const wanted = path
    .slice(path.lastIndexOf("/") + 1)
    .replaceAll(FORBIDDEN, "-")
    .trim();
  for (let number = 1; ; number += 1) {
    const suffix = number === 1 ? "" : `-${number}`;
    const name = `${[...wanted].slice(0, LIMIT - suffix.length).join("")}${suffix}`;
    if (isShareName(name) && !taken.has(name.toLowerCase())) return name;
  }
}
