/** Problems as text: one header line, the line of the source with the place underlined, the hint. */

import type { Problem } from "../codes/problems.ts";
import { withoutByteOrderMark } from "../json/json-source.ts";

/** Longest part of a source line shown, in UTF-16 units: inline scripts make lines of many thousands. */
const WIDTH = 160;
/** How much of a longer line is shown before the place. */
const LEAD = 60;

/** A place in a text: 1-based, in UTF-16 units. */
interface TextPlace {
  readonly line: number;
  readonly column: number;
  readonly length: number;
}

/**
 * Formats one problem.
 *
 * @param file name of the install script, as it shall be shown
 * @param source text the problem stands in (of `problem.file` where that is set), or null when it can't be had
 */
export function formatProblem(file: string, source: string | null, problem: Problem): string {
  const { severity, code, message, hint, related = [] } = problem;
  const shown = problem.file ?? file;
  const lines = [`${shown}:${problem.line}:${problem.column}: ${severity} ${code}: ${message}`];
  const frame = source === null ? null : renderCodeFrame(source, problem);
  if (frame !== null) lines.push(frame);
  for (const other of related) lines.push(`  ${file}:${other.line}:${other.column}: ${other.message}`);
  if (hint !== undefined) lines.push(`  hint: ${hint}`);
  return lines.join("\n");
}

/** The source line of a place, underlined, without a trailing line break; null when the text has no such line. */
export function renderCodeFrame(source: string, place: TextPlace): string | null {
  const text = readLine(withoutByteOrderMark(source), place.line);
  if (text === null) return null;
  const { shown, column } = cut(text, place.column);
  const left = Math.min(column - 1, shown.length);
  const carets = "^".repeat(Math.max(1, Math.min(place.length, shown.length - left)));
  const gutter = `  ${place.line} |`;
  // Tabs stay tabs, so that the underline stands below whatever width they have.
  const indent = shown.slice(0, left).replaceAll(/[^\t]/g, " ");
  return `${gutter} ${shown}\n${" ".repeat(gutter.length - 1)}| ${indent}${carets}`;
}

function readLine(source: string, line: number): string | null {
  let start = 0;
  for (let left = line; left > 1; left -= 1) {
    const end = source.indexOf("\n", start);
    if (end === -1) return null;
    start = end + 1;
  }
  const end = source.indexOf("\n", start);
  return source.slice(start, end === -1 ? undefined : end).replace(/\r$/, "");
}

function cut(text: string, column: number): { readonly shown: string; readonly column: number } {
  if (text.length <= WIDTH) return { shown: text, column };
  const start = Math.max(0, Math.min(column - 1 - LEAD, text.length - WIDTH));
  const before = start > 0 ? "…" : "";
  const after = start + WIDTH < text.length ? "…" : "";
  return { shown: `${before}${text.slice(start, start + WIDTH)}${after}`, column: column - start + before.length };
}
