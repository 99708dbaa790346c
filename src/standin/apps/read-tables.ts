import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { EngineError } from "../../core/codes/problems.ts";
import { readJson, withoutByteOrderMark } from "../../core/json/json-source.ts";
import { locate, spansAt } from "../../core/json/json-source-spans.ts";
import { type AppTable, WholeTable } from "./answers.ts";

/**
 * Reads the tables of a folder, by app. Throws `CLI_FILE_UNREADABLE`, or `CLI_FILE_INVALID` with the place of the first
 * fault.
 */
export function readTables(folder: string): Readonly<Record<string, AppTable>> {
  const files = orUnreadable(folder, () => readdirSync(folder)).filter((name) => name.endsWith(".json"));
  return Object.fromEntries(files.map((name) => [basename(name, ".json"), readTable(join(folder, name))]));
}

function readTable(file: string): AppTable {
  const text = withoutByteOrderMark(orUnreadable(file, () => readFileSync(file, "utf8")));
  const source = readJson(text);
  if (!source.ok) throw invalid(file, spansAt(text, source.faults)[0], source.faults[0]?.message ?? "it is not JSON");
  const { value } = source;
  const rows = Array.isArray(value);
  const parsed = WholeTable.safeParse(rows ? { answers: value } : value);
  if (parsed.success) return parsed.data;
  const [first] = parsed.error.issues;
  const path = (first?.path ?? []).filter((step) => typeof step !== "symbol").slice(rows ? 1 : 0);
  throw invalid(file, locate(text, [{ path }])[0], `"${path.join(".")}": ${first?.message ?? "unknown fault"}`);
}

function invalid(file: string, at: { line: number; column: number } | undefined, message: string): EngineError {
  return new EngineError("CLI_FILE_INVALID", `${file}:${at?.line ?? 1}:${at?.column ?? 1}: ${message}`, { file });
}

function orUnreadable<Read>(file: string, read: () => Read): Read {
  try {
    return read();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new EngineError("CLI_FILE_UNREADABLE", `can't read "${file}": ${reason}`, { file }, error);
  }
}
