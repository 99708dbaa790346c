import { explain } from "../core/codes.ts";
import { formatProblem } from "../core/problem-text.ts";
import type { EngineError, Problem } from "../core/problems.ts";
import { type ExitCode, exitCodeOfError } from "./exit.ts";

/** Where a command reads and writes; passed in, so that a test can run a command in its own process. */
export interface Terminal {
  readonly stdout: NodeJS.WritableStream & { readonly isTTY?: boolean; readonly rows?: number };
  readonly stderr: NodeJS.WritableStream;
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  /**
   * Aborts on SIGINT and SIGTERM: a command that takes it ends what it started and returns. Taken before there is
   * anything to end; where no command takes it, a signal ends the process.
   */
  readonly signal: AbortSignal;
  /** What the process will exit with; the last writer wins. */
  exitCode: ExitCode;
}

export function printJson(terminal: Terminal, document: unknown): void {
  terminal.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
}

/**
 * Shows an error a command ends with, and sets its exit code: one JSON document on stdout with `--format json`, else
 * the error, its problems and its hint on stderr.
 */
export function printError(terminal: Terminal, error: EngineError, format: string): void {
  terminal.exitCode = exitCodeOfError(error);
  const { code, message, details } = error;
  const { hint } = explain(code);
  if (format === "json") {
    printJson(terminal, { error: { ...details, code, message, hint } });
    return;
  }
  const { file, problems } = details;
  const lines = isProblems(problems) ? problems.map((problem) => problemLine(problem, file)) : [];
  terminal.stderr.write([`error ${code}: ${message}`, ...lines, `  hint: ${hint}`, ""].join("\n"));
}

/** The `problems` of a refused request or script (src/engine/api.ts, "Lifecycles"). */
function isProblems(value: unknown): value is readonly Problem[] {
  return Array.isArray(value);
}

const REQUEST_MEMBERS: ReadonlySet<unknown> = new Set(["answers", "consents", "inputs", "links"]);

/** A problem of a script with its place in the file, of a request with its place in the request. */
function problemLine(problem: Problem, file: unknown): string {
  const { path, severity, code, message } = problem;
  const placed = problem.file !== undefined || typeof file === "string";
  if (!placed || REQUEST_MEMBERS.has(path[0])) return `  ${path.join(".")}: ${severity} ${code}: ${message}`;
  const text = formatProblem(String(file), null, problem);
  return text.replaceAll(/^/gm, "  ");
}
