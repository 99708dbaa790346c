/** The text of an export to its contents: whoever wrote it, nothing of it is believed before it was checked. */
import { EngineError, type Problem, type RequestFault } from "../../core/codes/problems.ts";
import { isJsonObject, type JsonObject } from "../../core/json/json.ts";
import { readJson } from "../../core/json/json-source.ts";
import { locate } from "../../core/json/json-source-spans.ts";
import { locateSpans, type Span } from "../../core/json/text-spans.ts";
import { describeFault, toRequestFaults } from "../requests.ts";
import { EXPORT_VERSION, ExportFile, isAsWritten, MAX_EXPORT } from "./export-file.ts";

/** A checked file, and the value it was read from. */
export interface ReadExport {
  readonly file: ExportFile;
  readonly raw: JsonObject;
}

/**
 * Reads a file. Throws `EXPORT_TOO_LARGE`, `EXPORT_INVALID {problems}` with line and column of each, `EXPORT_VERSION_UNKNOWN`
 * and `EXPORT_CHANGED`. No message holds a value of the file.
 */
export function readExport(text: string): ReadExport {
  if (text.length > MAX_EXPORT) {
    throw new EngineError(
      "EXPORT_TOO_LARGE",
      `the export has ${text.length} characters, at most ${MAX_EXPORT} are read`,
    );
  }
  const raw = readObject(text);
  if (raw["slipway"] !== "export") throw createInvalidError(text, [{ path: [], message: "not an export of Slipway" }]);
  const { version } = raw;
  if (typeof version === "number" && version !== EXPORT_VERSION) {
    const message = `the export is of version ${version}, known is ${EXPORT_VERSION}`;
    throw new EngineError("EXPORT_VERSION_UNKNOWN", message);
  }
  const parsed = ExportFile.safeParse(raw);
  if (!parsed.success) throw createInvalidError(text, toRequestFaults(parsed.error));
  if (!isAsWritten(text, raw)) {
    throw new EngineError("EXPORT_CHANGED", "the export was changed since it was written");
  }
  return { file: parsed.data, raw };
}

function readObject(text: string): JsonObject {
  const source = readJson(text);
  if (!source.ok) {
    const spans = locateSpans(text, source.faults);
    throw createPlacedError(
      source.faults.map(({ kind }, at) => {
        return { path: [], message: kind === "depth" ? "nested too deep" : "not JSON", ...(spans[at] ?? NOWHERE) };
      }),
    );
  }
  if (isJsonObject(source.value)) return source.value;
  throw createInvalidError(text, [{ path: [], message: "not an object" }]);
}

/** Faults shown of one file: the first of them say what it is. */
const SHOWN = 20;
const NOWHERE: Span = { line: 1, column: 1, length: 0 };

function createInvalidError(text: string, faults: readonly RequestFault[]): EngineError {
  const shown = faults.slice(0, SHOWN);
  const spans = locate(text, shown);
  return createPlacedError(
    shown.map((fault, at) => ({ path: fault.path, message: describeFault(fault), ...(spans[at] ?? NOWHERE) })),
  );
}

function createPlacedError(faults: readonly (RequestFault & Span)[]): EngineError {
  const problems = faults.map((fault): Problem => ({ code: "EXPORT_INVALID", severity: "error", ...fault }));
  const [first] = problems;
  const where = first === undefined ? "" : `${first.line}:${first.column}: ${first.message}`;
  return new EngineError("EXPORT_INVALID", `the file is not an export that can be read: ${where}`, { problems });
}
