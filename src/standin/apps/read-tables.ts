import { closeSync, constants, fstatSync, openSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { basename, join, sep } from "node:path";
import { createFileUnreadableError } from "../../core/codes/common-errors.ts";
import { EngineError } from "../../core/codes/problems.ts";
import { readJson, withoutByteOrderMark } from "../../core/json/json-source.ts";
import { locate } from "../../core/json/json-source-spans.ts";
import { readMessage } from "../../core/json/read-message.ts";
import { locateSpans } from "../../core/json/text-spans.ts";
import { type AppTable, WholeTable } from "./answers.ts";

/** Most bytes of a table: the control interface of a stand-in takes no more. */
export const TABLE_BYTES = 1_000_000;

/** Waits for no writer of a pipe, and follows no link: what is opened was resolved before. */
const PLAIN = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;

/**
 * Reads the tables of a folder, by app; no link leads out of `within`, the folder itself by default. Throws
 * `CLI_FILE_UNREADABLE`, or `CLI_FILE_INVALID` with the place of the first fault.
 */
export function readTables(folder: string, within = folder): Readonly<Record<string, AppTable>> {
  return Object.fromEntries(
    listTables(folder).map((name) => [basename(name, ".json"), readTable(join(folder, name), within)]),
  );
}

/** A table that can't be read: the first fault of its file, with its place in it. */
export interface TableFault {
  readonly file: string;
  readonly message: string;
  readonly line?: number;
  readonly column?: number;
}

/**
 * Reads the tables of a folder that others filled, by app: a fault is one of its file alone. No link leads out of `within`.
 * Never throws.
 */
export function inspectTables(
  folder: string,
  within: string,
): { readonly tables: Readonly<Record<string, AppTable>>; readonly faults: readonly TableFault[] } {
  const tables = new Map<string, AppTable>();
  const faults: TableFault[] = [];
  const note = (file: string, error: unknown) => void faults.push({ file, message: readMessage(error) });
  try {
    for (const name of listTables(folder)) {
      const file = join(folder, name);
      try {
        const read = inspectTable(file, within);
        if (read.ok) tables.set(basename(name, ".json"), read.table);
        else faults.push({ file, message: read.message, line: read.line, column: read.column });
      } catch (error) {
        note(file, error);
      }
    }
  } catch (error) {
    note(folder, error);
  }
  return { tables: Object.fromEntries(tables), faults };
}

/** Reads one table; no link leads out of `within`. Throws as `readTables` does. */
export function readTable(file: string, within: string): AppTable {
  const read = inspectTable(file, within);
  if (read.ok) return read.table;
  const { line, column, message } = read;
  throw new EngineError("CLI_FILE_INVALID", `${file}:${line}:${column}: ${message}`, { file });
}

/** A table, or its first fault; line and column from 1. */
export type InspectedTable =
  | { readonly ok: true; readonly table: AppTable }
  | { readonly ok: false; readonly line: number; readonly column: number; readonly message: string };

/** Reads one table for whoever shows its fault; no link leads out of `within`. Throws `CLI_FILE_UNREADABLE`. */
export function inspectTable(file: string, within: string): InspectedTable {
  return parseTable(withoutByteOrderMark(readOrRefuse(file, () => readText(file, within))));
}

function listTables(folder: string): readonly string[] {
  return readOrRefuse(folder, () => readdirSync(folder)).filter((name) => name.endsWith(".json"));
}

function readText(file: string, within: string): string {
  const real = realpathSync(file);
  if (!real.startsWith(`${realpathSync(within)}${sep}`)) throw new Error(`it leads out of "${within}"`);
  const descriptor = openSync(real, PLAIN);
  try {
    const facts = fstatSync(descriptor);
    if (!facts.isFile()) throw new Error("it is not a regular file");
    if (facts.size > TABLE_BYTES) throw new Error(`it has more than the allowed ${TABLE_BYTES} bytes`);
    return readFileSync(descriptor, "utf8");
  } finally {
    closeSync(descriptor);
  }
}

function parseTable(text: string): InspectedTable {
  const source = readJson(text);
  if (!source.ok) return refuse(locateSpans(text, source.faults)[0], source.faults[0]?.message ?? "it is not JSON");
  const { value } = source;
  const rows = Array.isArray(value);
  const parsed = WholeTable.safeParse(rows ? { answers: value } : value);
  if (parsed.success) return { ok: true, table: parsed.data };
  const [first] = parsed.error.issues;
  const path = (first?.path ?? []).filter((step) => typeof step !== "symbol").slice(rows ? 1 : 0);
  return refuse(locate(text, [{ path }])[0], `"${path.join(".")}": ${first?.message ?? "unknown fault"}`);
}

function refuse(at: { readonly line: number; readonly column: number } | undefined, message: string): InspectedTable {
  return { ok: false, line: at?.line ?? 1, column: at?.column ?? 1, message };
}

function readOrRefuse<Read>(file: string, read: () => Read): Read {
  try {
    return read();
  } catch (error) {
    throw createFileUnreadableError(file, error);
  }
}
