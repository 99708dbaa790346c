import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

/**
 * Finds the folder in which a release keeps its fixtures: that of the command's first argument, by default of the
 * package's version. A new one begins with those entries of the last release's that `isTakenOver` names.
 */
export function findReleaseFolder(releases: string, isTakenOver: (name: string) => boolean): string {
  const { version } = z.object({ version: z.string() }).parse(JSON.parse(readFileSync("package.json", "utf8")));
  const folder = join(releases, process.argv[2] ?? version);
  if (existsSync(folder)) return folder;
  const last = readdirSync(releases)
    .sort((a, b) => a.localeCompare(b, "en", { numeric: true }))
    .at(-1);
  mkdirSync(folder);
  for (const name of last === undefined ? [] : readdirSync(join(releases, last)).filter(isTakenOver))
    cpSync(join(releases, last ?? "", name), join(folder, name), { recursive: true });
  return folder;
}
