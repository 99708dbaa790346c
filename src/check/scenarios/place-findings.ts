import type { Code } from "../../core/codes/code.ts";
import type { Problem } from "../../core/codes/problems.ts";
import type { JsonPath } from "../../core/json/json.ts";
import { toProblems } from "../../core/script/parse/place-problems.ts";

/** A file of scenarios, by its name in the catalog. */
export interface PlacedText {
  readonly file: string;
  readonly text: string;
}

/** Something that is not as it should be, at a place of the file. */
export interface Placed {
  readonly path: JsonPath;
  readonly message: string;
}

/** Findings with line and column. */
export function placeFindings({ file, text }: PlacedText, code: Code, found: readonly Placed[]): readonly Problem[] {
  const diagnostics = found.map(({ path, message }) => ({ code, severity: "error" as const, path, message }));
  return toProblems(text, diagnostics).map((problem) => ({ ...problem, file }));
}
