import type { Code } from "../../core/codes/code.ts";
import { explain } from "../../core/codes/codes.ts";
import type { Problem } from "../../core/codes/problems.ts";
import type { JsonPath } from "../../core/json/json.ts";
import { createSpanReader } from "../../core/json/text-spans.ts";
import { toProblems } from "../../core/script/parse/place-problems.ts";

/** Something that is not as it should be, at a place of the scenarios. */
export interface Placed {
  readonly path: JsonPath;
  readonly message: string;
}

/** Findings with file, line and column. */
export type PlaceFindings = (code: Code, found: readonly Placed[]) => readonly Problem[];

/** Places findings in the JSON file that says what they are about. */
export function placeInJson(file: string, text: string): PlaceFindings {
  return (code, found) => {
    const diagnostics = found.map(({ path, message }) => ({ code, severity: "error" as const, path, message }));
    return toProblems(text, diagnostics).map((problem) => ({ ...problem, file }));
  };
}

/**
 * Places findings in a TypeScript file: what they are about may be computed, so they stand where the name of their scenario is
 * written, or else at the beginning, and say what they are about. `names` are those of the scenarios in their order.
 */
export function placeAtNames(file: string, text: string, names: readonly (string | undefined)[]): PlaceFindings {
  const readSpan = createSpanReader(text);
  return (code, found) =>
    found.map(({ path, message }) => {
      const [, index] = path;
      const range = findString(text, typeof index === "number" ? names[index] : undefined);
      const about = path.slice(2).join(".");
      return {
        ...{ code, severity: "error", path, file, ...readSpan(range), hint: explain(code).hint },
        message: about === "" ? message : `${message} (${about})`,
      };
    });
}

/** Where a string is written. */
function findString(text: string, content: string | undefined): { readonly offset: number; readonly length: number } {
  const written = content === undefined ? [] : [JSON.stringify(content), `'${content}'`, `\`${content}\``];
  const [first] = written
    .map((literal) => ({ offset: text.indexOf(literal), length: literal.length }))
    .filter(({ offset }) => offset >= 0)
    .toSorted((one, other) => one.offset - other.offset);
  return first ?? { offset: 0, length: 1 };
}
