/** The install scripts of a catalog directory by name. */
import { opendir } from "node:fs/promises";
import { EngineError } from "../../core/codes/problems.ts";
import { INDEX_FILE } from "./catalog-index.ts";
import { sortNames } from "./sort-names.ts";

/** Most install scripts of a catalog; of more the first by name are read. */
export const MOST_SCRIPTS = 20_000;
/** What the file of an app's scenarios ends with, one or the other (docs/checking.md); no app's id has a dot. */
export const SCENARIOS_ENDS = { json: ".check.json", typescript: ".check.ts" } as const;
/** What other tools keep beside the scripts of a catalog that is a project of its own: no app's. */
export const PROJECT_FILES = ["package.json", "package-lock.json", "tsconfig.json", "jsconfig.json"] as const;
/** Most entries of the directory looked at, whatever they are. */
const MAX_LISTED = 200_000;

/** The names of a directory's install scripts, sorted, and how many there are beyond `most`. Throws CATALOG_UNREADABLE. */
export async function listScripts(
  root: string,
  most = MOST_SCRIPTS,
): Promise<{ readonly names: readonly string[]; readonly rest: number }> {
  const sorted = await sortNames(await listNames(root, isScript));
  return { names: sorted.slice(0, most), rest: Math.max(0, sorted.length - most) };
}

/** The names of a directory's files of scenarios. Throws CATALOG_UNREADABLE. */
export function listScenarioFiles(root: string): Promise<readonly string[]> {
  const ends = Object.values(SCENARIOS_ENDS);
  return listNames(root, (name) => ends.some((end) => name.endsWith(end)) && !name.startsWith("."));
}

/** The app a file of scenarios is of. */
export function readScenarioAppId(file: string): string {
  return file.replace(/\.check\.(json|ts)$/, "");
}

async function listNames(root: string, isWanted: (name: string) => boolean): Promise<readonly string[]> {
  const names: string[] = [];
  try {
    let listed = 0;
    for await (const { name } of await opendir(root)) {
      listed += 1;
      if (listed > MAX_LISTED) break;
      if (isWanted(name)) names.push(name);
    }
  } catch (cause) {
    throw new EngineError("CATALOG_UNREADABLE", `the catalog "${root}" can't be read`, { root }, cause);
  }
  return names;
}

const NO_SCRIPTS: ReadonlySet<string> = new Set([INDEX_FILE, ...PROJECT_FILES]);

/** Whether a file of a catalog is an install script by its name. */
export function isScript(name: string): boolean {
  return (
    name.endsWith(".json") && !name.endsWith(SCENARIOS_ENDS.json) && !name.startsWith(".") && !NO_SCRIPTS.has(name)
  );
}

/** The app a file declares: `jellyfin.json` and `jellyfin@10.9.json` both declare `jellyfin`. */
export function readAppId(file: string): string {
  return file.replace(/\.json$/, "").replace(/@.*$/s, "");
}
