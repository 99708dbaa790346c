/** The fake of an app: what it answers on the embedded host, as its author wrote it down. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { AppTable } from "../../standin/apps/answers.ts";
import { readTable } from "../../standin/apps/read-tables.ts";

/** Where the fake of an app stands, relative to the catalog. */
export function nameFake(appId: string): string {
  return join("standin", `${appId}.json`);
}

/** Reads an app's fake; null where there is none. Throws `CLI_FILE_UNREADABLE`, or `CLI_FILE_INVALID` with its place. */
export function readFake(root: string, appId: string): AppTable | null {
  const file = join(root, nameFake(appId));
  return existsSync(file) ? readTable(file, root) : null;
}
