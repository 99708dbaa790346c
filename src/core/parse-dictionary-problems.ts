import { explain } from "./codes.ts";
import { locate, type Place } from "./json-source-spans.ts";
import type { Problem, RelatedPlace } from "./problems.ts";
import type { CodedFinding } from "./rules/finding.ts";

/** Findings with their positions in the text, sorted by file, position and code. */
export function toProblems(text: string, findings: readonly CodedFinding[]): readonly Problem[] {
  const places: Place[] = findings.flatMap((finding) => [finding, ...(finding.related ?? [])]);
  const spans = locate(text, places).values();
  const next = () => spans.next().value ?? { line: 1, column: 1, length: 1 };
  const problems = findings.map((finding): Problem => {
    const { code, severity, message, path, elsewhere } = finding;
    const span = next();
    const related = finding.related?.map((place): RelatedPlace => {
      return { message: place.message, path: place.path, ...next() };
    });
    const problem = { code, severity, message, path, ...(elsewhere ?? span), hint: finding.hint ?? explain(code).hint };
    return related === undefined ? problem : { ...problem, related };
  });
  return problems.sort(compareProblems);
}

/** Order of problems: the script itself before other files, then position, then code and message. */
export function compareProblems(a: Problem, b: Problem): number {
  return (
    compareText(a.file ?? "", b.file ?? "") ||
    a.line - b.line ||
    a.column - b.column ||
    compareText(a.code, b.code) ||
    compareText(a.message, b.message)
  );
}

/** Code unit order: the same on every machine, unlike a locale's. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
