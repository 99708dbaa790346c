import { readFileSync, statSync } from "node:fs";
import type { z } from "zod";
import { createFileUnreadableError } from "../../core/codes/common-errors.ts";
import { EngineError, type RequestFault } from "../../core/codes/problems.ts";
import type { Json } from "../../core/json/json.ts";
import { readJson, withoutByteOrderMark } from "../../core/json/json-source.ts";
import { locate } from "../../core/json/json-source-spans.ts";
import { locateSpans, type Span } from "../../core/json/text-spans.ts";
import { describeFault, toRequestFaults } from "../../engine/requests.ts";

const NOWHERE: Span = { line: 1, column: 1, length: 0 };

/**
 * Reads a text file named on the command line, of at most so many bytes. Throws `CLI_FILE_UNREADABLE` with the file's
 * name.
 */
export function readTextFile(file: string, most = Number.POSITIVE_INFINITY): string {
  try {
    if (statSync(file).size > most) throw new Error(`it is larger than ${most} bytes`);
    return readFileSync(file, "utf8");
  } catch (error) {
    throw createFileUnreadableError(file, error);
  }
}

/**
 * Reads a JSON file a command was given and checks its shape. Throws `CLI_FILE_UNREADABLE`, or `CLI_FILE_INVALID` with
 * the place of every fault. The faults name no value: it may be a password.
 */
export function readJsonFile<Schema extends z.ZodType>(file: string, schema: Schema): z.infer<Schema> {
  const { text, value } = readJsonText(file);
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw createInvalidError(file, placeFaults(text, toRequestFaults(parsed.error)));
}

/**
 * Reads a request, or a part of one, from a JSON file. Throws as `readJsonFile` for a file that can't be read as JSON, and
 * `TASK_REQUEST_INVALID {errors}` as the engine does, its message with the place of every fault in the file.
 */
export function readRequestFile<Schema extends z.ZodType>(file: string, schema: Schema): z.infer<Schema> {
  const { text, value } = readJsonText(file);
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const errors = toRequestFaults(parsed.error);
  throw new EngineError("TASK_REQUEST_INVALID", describeFaults(file, placeFaults(text, errors)), { file, errors });
}

interface PlacedFault extends Span {
  readonly message: string;
}

function readJsonText(file: string): { readonly text: string; readonly value: Json } {
  const text = withoutByteOrderMark(readTextFile(file));
  const source = readJson(text);
  if (source.ok) return { text, value: source.value };
  const spans = locateSpans(text, source.faults);
  throw createInvalidError(
    file,
    source.faults.map(({ message }, index) => ({ message, ...(spans[index] ?? NOWHERE) })),
  );
}

function placeFaults(text: string, faults: readonly RequestFault[]): readonly PlacedFault[] {
  const spans = locate(text, faults);
  return faults.map((fault, index) => ({ message: describeFault(fault), ...(spans[index] ?? NOWHERE) }));
}

function describeFaults(file: string, faults: readonly PlacedFault[]): string {
  return faults.map(({ line, column, message }) => `${file}:${line}:${column}: ${message}`).join("; ");
}

function createInvalidError(file: string, faults: readonly PlacedFault[]): EngineError {
  return new EngineError("CLI_FILE_INVALID", describeFaults(file, faults), { file, faults });
}
