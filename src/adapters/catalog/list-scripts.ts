/** The install scripts of a catalog directory by name. */
import { opendir } from "node:fs/promises";
import { EngineError } from "../../core/codes/problems.ts";
import { INDEX_FILE } from "./catalog-index.ts";
import { sortNames } from "./sort-names.ts";

/** Most install scripts of a catalog; of more the first by name are read. */
export const MOST_SCRIPTS = 20_000;
/** What the file of an app's scenarios ends with (docs/checking.md); no app's id has a dot. */
export const SCENARIOS_END = ".check.json";
/** Most entries of the directory looked at, whatever they are. */
const MAX_LISTED = 200_000;

/** The names of a directory's install scripts, sorted, and how many there are beyond `most`. Throws CATALOG_UNREADABLE. */
export async function listScripts(
  root: string,
  most = MOST_SCRIPTS,
): Promise<{ readonly names: readonly string[]; readonly rest: number }> {
  const names: string[] = [];
  try {
    let listed = 0;
    for await (const { name } of await opendir(root)) {
      listed += 1;
      if (listed > MAX_LISTED) break;
      if (isScript(name)) names.push(name);
    }
  } catch (cause) {
    throw new EngineError("CATALOG_UNREADABLE", `the catalog "${root}" can't be read`, { root }, cause);
  }
  const sorted = await sortNames(names);
  return { names: sorted.slice(0, most), rest: Math.max(0, sorted.length - most) };
}

function isScript(name: string): boolean {
  return name.endsWith(".json") && !name.endsWith(SCENARIOS_END) && !name.startsWith(".") && name !== INDEX_FILE;
}

/** The app a file declares: `jellyfin.json` and `jellyfin@10.9.json` both declare `jellyfin`. */
export function readAppId(file: string): string {
  return file.replace(/\.json$/, "").replace(/@.*$/s, "");
}
