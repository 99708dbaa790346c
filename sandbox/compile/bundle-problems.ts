/** Compile errors as problems: the author's file, 1-based line and column in UTF-16 units. */
import type { Code } from "../../src/core/codes/code.ts";
import { explain } from "../../src/core/codes/codes.ts";
import type { Problem } from "../../src/core/codes/problems.ts";
import { type BundlerDiagnostic, ENTRY } from "./bundler/messages.ts";

/**
 * One thing the bundler found; `file` stands in where it has no place in a text that was served (by its name with its
 * namespace). What lies past the text's end is shown at its end.
 */
export function toProblem(diagnostic: BundlerDiagnostic, texts: ReadonlyMap<string, string>, file: string): Problem {
  const { code, message, module } = diagnostic;
  const text = module === null || module === ENTRY ? undefined : texts.get(module);
  if (module === null || text === undefined) return createFileProblem(code, message, file);
  const lines = text.split(/\r\n|[\n\r\u2028\u2029]/);
  const line = Math.min(diagnostic.line, lines.length);
  const bytes = Buffer.from(lines[line - 1] ?? "");
  const from = line < diagnostic.line ? bytes.length : diagnostic.column;
  const countUnits = (start: number, end: number) => bytes.toString("utf8", start, end).length;
  return {
    ...createFileProblem(code, message, dropNamespace(module)),
    line,
    column: countUnits(0, from) + 1,
    length: countUnits(from, from + diagnostic.length),
  };
}

/** A problem of a file as a whole. */
export function createFileProblem(code: Code, message: string, file: string): Problem {
  return { code, severity: "error", message, path: [], file, line: 1, column: 1, length: 0, hint: explain(code).hint };
}

/** `catalog:plex/hook.ts` as the bundler names it, without the namespace. */
export function dropNamespace(name: string): string {
  return name.replace(/^(catalog|inline):/, "");
}
