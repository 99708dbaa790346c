import { readFileSync } from "node:fs";
import type { z } from "zod";
import { EngineError } from "../../core/codes/problems.ts";
import type { JsonPath } from "../../core/json/json.ts";
import { readJson, withoutByteOrderMark } from "../../core/json/json-source.ts";
import { locate, type Span, spansAt } from "../../core/json/json-source-spans.ts";

const NOWHERE: Span = { line: 1, column: 1, length: 0 };

/** Reads a text file named on the command line. Throws `CLI_FILE_UNREADABLE` with the file's name. */
export function readTextFile(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new EngineError("CLI_FILE_UNREADABLE", `can't read "${file}": ${reason}`, { file }, error);
  }
}

/**
 * Reads a JSON file a command was given and checks its shape. Throws `CLI_FILE_UNREADABLE`, or `CLI_FILE_INVALID` with
 * the place of every fault. The faults name no value: it may be a password.
 */
export function readJsonFile<Schema extends z.ZodType>(file: string, schema: Schema): z.infer<Schema> {
  const text = withoutByteOrderMark(readTextFile(file));
  const source = readJson(text);
  if (!source.ok) {
    const spans = spansAt(text, source.faults);
    throw invalid(
      file,
      source.faults.map(({ message }, index) => ({ message, ...(spans[index] ?? NOWHERE) })),
    );
  }
  const parsed = schema.safeParse(source.value);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map(({ path, message }) => ({ path: path.filter(isStep), message }));
  const spans = locate(text, issues);
  throw invalid(
    file,
    issues.map(({ path, message }, index) => ({
      message: path.length === 0 ? message : `"${path.join(".")}": ${message}`,
      ...(spans[index] ?? NOWHERE),
    })),
  );
}

function isStep(step: PropertyKey): step is JsonPath[number] {
  return typeof step !== "symbol";
}

function invalid(file: string, faults: readonly (Span & { readonly message: string })[]): EngineError {
  const said = faults.map(({ line, column, message }) => `${file}:${line}:${column}: ${message}`);
  return new EngineError("CLI_FILE_INVALID", said.join("; "), { file, faults });
}
