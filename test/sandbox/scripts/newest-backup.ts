import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, extname, join } from "node:path";
import type { HookContext } from "slipway/hook-api";

export async function checkBackup({ mounts, log, fail }: HookContext) {
  const folder = join(mounts[0]!.localPath, "backups");
  const files = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && extname(entry.name) === ".json")
    .map((entry) => join(folder, entry.name))
    .sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  log(`${files.length} backups`, files);
  const newest = files[0];
  if (newest === undefined) fail("There is no backup yet");
  const { version } = JSON.parse(readFileSync(newest).toString()) as { version: number };
  return { newest: basename(newest, ".json"), version };
}
