import { explain } from "../core/codes.ts";
import type { EngineError } from "../core/problems.ts";
import { EXIT, type ExitCode } from "./exit.ts";

/** Where a command reads and writes; passed in, so that a test can run a command in its own process. */
export interface Terminal {
  readonly stdout: NodeJS.WritableStream & { readonly isTTY?: boolean };
  readonly stderr: NodeJS.WritableStream;
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  /** Aborts on SIGINT and SIGTERM: a command ends what it started and returns. */
  readonly signal: AbortSignal;
  /** What the process will exit with; the last writer wins. */
  exitCode: ExitCode;
}

export function printJson(terminal: Terminal, document: unknown): void {
  terminal.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
}

/**
 * Shows an error a command ends with: one JSON document on stdout with `--format json`, else two lines on stderr.
 * Sets exit code 2 unless the command has already said how it failed.
 */
export function printError(terminal: Terminal, error: EngineError, format: string): void {
  if (terminal.exitCode === EXIT.done) terminal.exitCode = EXIT.usage;
  const { hint } = explain(error.code);
  if (format === "json") {
    printJson(terminal, { error: { code: error.code, message: error.message, hint, ...error.details } });
    return;
  }
  terminal.stderr.write(`error ${error.code}: ${error.message}\n  hint: ${hint}\n`);
}
