import { explain } from "../../codes/codes.ts";
import type { Problem, RelatedPlace } from "../../codes/problems.ts";
import type { JsonPath } from "../../json/json.ts";
import { locate, type Place } from "../../json/json-source-spans.ts";
import type { Diagnostic } from "../../rules/diagnostic.ts";
import type { DiagnosticList } from "../../rules/diagnostic-list.ts";
import { MAX_PROBLEMS } from "../script-limits.ts";

/** Longest message and longest key of a path, in UTF-16 units: both may hold an author's text. */
const MESSAGE = 2_000;
const STEP = 200;

/** Diagnostics with their positions in the text, sorted by file, position and code. */
export function toProblems(text: string, diagnostics: readonly Diagnostic[]): readonly Problem[] {
  const places: Place[] = diagnostics.flatMap((diagnostic) => [diagnostic, ...(diagnostic.related ?? [])]);
  const spans = locate(text, places).values();
  const takeSpan = () => spans.next().value ?? { line: 1, column: 1, length: 1 };
  const problems = diagnostics.map((diagnostic): Problem => {
    const { code, severity, elsewhere } = diagnostic;
    const [message, path] = [cut(diagnostic.message, MESSAGE), cutPath(diagnostic.path)];
    const span = takeSpan();
    const related = diagnostic.related?.map((place): RelatedPlace => {
      return { message: place.message, path: cutPath(place.path), ...takeSpan() };
    });
    const problem = {
      code,
      severity,
      message,
      path,
      ...(elsewhere ?? span),
      hint: diagnostic.hint ?? explain(code).hint,
    };
    return related === undefined ? problem : { ...problem, related };
  });
  return problems.sort(compareProblems);
}

/** The problems of a list of diagnostics, and one that says how many more there are. */
export function listProblems(text: string, { kept, rest }: DiagnosticList): readonly Problem[] {
  return toProblems(text, rest === 0 ? kept : [...kept, sayHowManyMore(rest)]);
}

/** The problem that stands for those of a file that are not shown; it refuses the file. */
export function sayHowManyMore(rest: number): Diagnostic {
  const message = `the file has ${MAX_PROBLEMS + rest} problems; the first ${MAX_PROBLEMS} are shown, ${rest} more are not`;
  return { code: "SCRIPT_PROBLEMS_TOO_MANY", severity: "error", message, path: [] };
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length)}...`;
}

function cutPath(path: JsonPath): JsonPath {
  const isShort = path.every((step) => typeof step === "number" || step.length <= STEP);
  return isShort ? path : path.map((step) => (typeof step === "number" ? step : cut(step, STEP)));
}

/**
 * Order of problems: the script itself before other files, then position, then code and message. Those of a request, which
 * has no text, stay as they were found: answers in the order of their questions.
 */
export function compareProblems(a: Problem, b: Problem): number {
  const [inRequest, otherInRequest] = [isOfRequest(a), isOfRequest(b)];
  return (
    compareText(a.file ?? "", b.file ?? "") ||
    a.line - b.line ||
    a.column - b.column ||
    Number(inRequest) - Number(otherInRequest) ||
    (inRequest ? 0 : compareText(a.code, b.code) || compareText(a.message, b.message))
  );
}

function isOfRequest({ path: [part] }: Problem): boolean {
  return part === "answers" || part === "consents";
}

/** Code unit order: the same on every machine, unlike a locale's. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
