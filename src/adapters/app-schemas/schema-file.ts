/** A JSON file of schemas: an object or list of `{app, train, version, questions}`. */
import { basename, dirname } from "node:path";
import { readFileBelow } from "../../../sandbox/files/read-below.ts";
import { listSchemaEntries, type SchemaEntry } from "../../core/app-values/list-schemas.ts";
import { parseAppSchema } from "../../core/app-values/parse-questions.ts";
import { createFileUnreadableError } from "../../core/codes/common-errors.ts";
import { EngineError } from "../../core/codes/problems.ts";
import type { Json } from "../../core/json/json.ts";
import { readJson, withoutByteOrderMark } from "../../core/json/json-source.ts";
import { type AppSchemas, type FoundSchema, toFound } from "./found-schema.ts";

/** Largest file in bytes; the schemas of all apps of the public catalog take 3 MB. */
const MOST_BYTES = 64 * 1024 * 1024;

/** Reads the file whole; each schema is parsed when it is asked for. Throws as `readSchemaEntries` does. */
export async function openSchemaFile(file: string): Promise<AppSchemas> {
  const entries = await readSchemaEntries(file);
  const byApp = new Map<string, Json>();
  for (const { app, train, value } of entries) if (!byApp.has(app) || train === "stable") byApp.set(app, value);
  const found = new Map<string, FoundSchema>();
  return {
    find: async (app) => {
      const known = found.get(app) ?? findIn(byApp, app);
      found.set(app, known);
      return known;
    },
  };
}

/** The entries of a file of schemas. Throws `CLI_FILE_UNREADABLE`, `CLI_FILE_INVALID`. */
export async function readSchemaEntries(file: string): Promise<readonly SchemaEntry[]> {
  const read = await readFileBelow({ root: dirname(file), path: basename(file) }, MOST_BYTES);
  if (!read.ok) throw createFileUnreadableError(file, read.code);
  const source = readJson(withoutByteOrderMark(read.bytes.toString("utf8")));
  const entries = source.ok ? listSchemaEntries(source.value) : [];
  if (entries.length > 0) return entries;
  const message = `"${file}" holds no schemas of apps: an object or list of {app, train, version, questions} is allowed`;
  throw new EngineError("CLI_FILE_INVALID", message, { file });
}

function findIn(byApp: ReadonlyMap<string, Json>, app: string): FoundSchema {
  const value = byApp.get(app);
  if (value === undefined) return { kind: "unknown", apps: [...byApp.keys()] };
  const parsed = parseAppSchema(value);
  return parsed === null ? { kind: "faulty", reason: "it has no version" } : toFound(parsed.schema, parsed.faults);
}
