import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The file of schemas of 425 catalog apps, or null where it is absent. Throws if CI has none. */
export function findAppSchemasFile(): string | null {
  const file = fileURLToPath(new URL("../../../../shared/app-schemas/all.json", import.meta.url));
  if (existsSync(file)) return file;
  if (process.env["CI"] === "true") throw new Error(`CI needs the schemas of catalog apps in ${file}`);
  return null;
}

/** The parsed file: an entry for each `<train>/<app>`; empty where it is absent. */
export function readAppSchemas(): Readonly<Record<string, unknown>> {
  const file = findAppSchemasFile();
  return file === null ? {} : JSON.parse(readFileSync(file, "utf8"));
}
