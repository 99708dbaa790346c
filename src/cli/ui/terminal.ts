import { explain } from "../../core/codes/codes.ts";
import type { EngineError, Problem } from "../../core/codes/problems.ts";
import { escapeControlCharacters, showControlCharacters } from "../../core/report/plain-text.ts";
import { formatProblem } from "../../core/report/problem-text.ts";
import { type ExitCode, findErrorExitCode } from "./exit.ts";

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
  /** The process's exit code; the last writer wins. */
  exitCode: ExitCode;
}

/**
 * The terminal as commands see it: whatever they write is made plain, so that no text of a script, a catalog or a host
 * steers the terminal. What draws with control sequences of its own takes `findScreen`, and makes its texts plain itself.
 */
export function createPlainTerminal(given: Terminal): Terminal {
  const terminal: Terminal = {
    stdout: createPlainStream(given.stdout),
    stderr: createPlainStream(given.stderr),
    stdin: given.stdin,
    get signal() {
      return given.signal;
    },
    get exitCode() {
      return given.exitCode;
    },
    set exitCode(code) {
      given.exitCode = code;
    },
  };
  screens.set(terminal, given.stdout);
  return terminal;
}

/** Standard output as it is, for what draws in place. */
export function findScreen(terminal: Terminal): NodeJS.WritableStream {
  return screens.get(terminal) ?? terminal.stdout;
}

const screens = new WeakMap<Terminal, NodeJS.WritableStream>();

/** A stream whose texts are made plain; everything else of it is as it was. */
function createPlainStream<T extends NodeJS.WritableStream>(stream: T): T {
  return new Proxy(stream, {
    get(target, key) {
      const member: unknown = Reflect.get(target, key, target);
      if (typeof member !== "function") return member;
      if (key !== "write") return member.bind(target);
      return (chunk: unknown, ...rest: unknown[]) =>
        Reflect.apply(member, target, [typeof chunk === "string" ? showControlCharacters(chunk) : chunk, ...rest]);
    },
  });
}

export function printJson(terminal: Terminal, document: unknown): void {
  terminal.stdout.write(`${escapeControlCharacters(JSON.stringify(document, null, 2))}\n`);
}

/** One document of a stream of them. */
export function printJsonLine(terminal: Terminal, document: unknown): void {
  terminal.stdout.write(`${escapeControlCharacters(JSON.stringify(document))}\n`);
}

/**
 * Shows an error a command ends with, and sets its exit code: one JSON document on stdout with `--format json`, else
 * the error, its problems and its hint on stderr.
 */
export function printError(terminal: Terminal, error: EngineError, format: string): void {
  terminal.exitCode = findErrorExitCode(error);
  const { code, message } = error;
  const details: Readonly<Record<string, unknown>> = error.details;
  const { hint } = explain(code);
  if (format === "json") {
    printJson(terminal, { error: { ...details, code, message, hint } });
    return;
  }
  const { file, problems } = details;
  const lines = isProblems(problems) ? problems.map((problem) => renderProblemLine(problem, file)) : [];
  terminal.stderr.write([`error ${code}: ${message}`, ...lines, `  hint: ${hint}`, ""].join("\n"));
}

/** The `problems` of a refused request or script (src/engine/api.ts, "Lifecycles"). */
function isProblems(value: unknown): value is readonly Problem[] {
  return Array.isArray(value);
}

const REQUEST_MEMBERS: ReadonlySet<unknown> = new Set(["answers", "consents", "inputs", "links"]);

/** A problem of a script with its place in the file, of a request with its place in the request. */
function renderProblemLine(problem: Problem, file: unknown): string {
  const { path, severity, code, message } = problem;
  const placed = problem.file !== undefined || typeof file === "string";
  if (!placed || REQUEST_MEMBERS.has(path[0])) return `  ${path.join(".")}: ${severity} ${code}: ${message}`;
  const text = formatProblem(String(file), null, problem);
  return text.replaceAll(/^/gm, "  ");
}
