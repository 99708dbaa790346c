import { existsSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

/**
 * The real install scripts beside the project, and their app ids; null where the folder is absent (the tests are then
 * reported as skipped). With `CI=true` its absence is a failure.
 */
export function realScripts(): { readonly folder: string; readonly ids: readonly string[] } | null {
  const folder = fileURLToPath(new URL("../../../../shared/catalog/", import.meta.url));
  if (!existsSync(folder)) {
    if (process.env["CI"] === "true") throw new Error(`CI needs the real install scripts in ${folder}`);
    return null;
  }
  const files = readdirSync(folder).filter((file) => file.endsWith(".json"));
  return { folder, ids: files.map((file) => file.slice(0, -".json".length)).sort() };
}
