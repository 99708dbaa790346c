import type { OpenCall, RunOutcome } from "../../../sandbox/contract.ts";
import type { FailureDetail, Problem } from "../../core/codes/problems.ts";
import type { Json } from "../../core/json/json.ts";
import type { ShownCheckpoint } from "../ui/checkpoint-board.ts";
import type { Terminal } from "../ui/terminal.ts";

/** The document `run-hook --format json` prints. */
export interface RunHookResult {
  readonly outcome: {
    /** `open`: a replay came to the journal's end before the script's. */
    readonly status: "completed" | "failed" | "open";
    readonly reason?: string;
    readonly code?: string;
    readonly message?: string;
    readonly context?: readonly FailureDetail[];
    readonly stack?: string;
    /** Place of the first problem of a script that could not be bundled; line and column from 1. */
    readonly file?: string;
    readonly line?: number;
    readonly column?: number;
  };
  readonly checkpoints: readonly ShownCheckpoint[];
  readonly log: readonly string[];
  readonly result?: Json;
  /** Calls the script waits for where its journal ends. */
  readonly open?: readonly OpenCall[];
  /** Why a script could not be bundled, at their places; or parts of a widget's result that can't be shown or are missing. */
  readonly problems?: readonly ResultProblem[];
  /** The journal written for a replay. */
  readonly journal?: WrittenJournal;
  readonly usage: RunOutcome["usage"];
}

/** A problem; of a widget's result, which is no file, without a place. */
type ResultProblem = Pick<Problem, "code" | "message" | "path"> & Partial<Pick<Problem, "file" | "line" | "column">>;

/** A journal file; `fault` says why it does not lead where the run did. */
export interface WrittenJournal {
  readonly file: string;
  readonly fault?: string;
}

/** The result of a script that could not be bundled. */
export function createNotCompiled(problems: readonly Problem[]): RunHookResult {
  const [first] = problems;
  return {
    outcome: { status: "failed", ...(first && pickPlaced(first)) },
    problems: problems.map((problem) => ({ ...pickPlaced(problem), path: problem.path })),
    checkpoints: [],
    log: [],
    usage: { wallMs: 0, cpuMs: 0, peakMb: 0, fetches: 0 },
  };
}

function pickPlaced({ code, message, file, line, column }: Problem) {
  return { code, message, ...(file !== undefined && { file }), line, column };
}

/** Shows how a run ended; checkpoints and log were shown as they came. */
export function printOutcome(terminal: Terminal, result: RunHookResult): void {
  printEnding(terminal, result);
  const { journal } = result;
  if (journal === undefined) return;
  terminal.stdout.write(`journal: ${journal.file}\n`);
  if (journal.fault !== undefined) terminal.stderr.write(`  it can't be replayed: ${journal.fault}\n`);
}

function printEnding(terminal: Terminal, { outcome, result, open = [], problems = [], usage }: RunHookResult): void {
  const used = `${usage.wallMs} ms, CPU ${usage.cpuMs} ms, ${usage.peakMb} MB, ${usage.fetches} requests`;
  if (outcome.status === "open") {
    terminal.stdout.write(`the journal ends here: ${outcome.message ?? ""}\n`);
    for (const { id, call } of open) terminal.stdout.write(id === null ? `  ${call}\n` : `  call ${id}: ${call}\n`);
    terminal.stdout.write(`open (${used})\n`);
    return;
  }
  if (outcome.status === "completed") {
    if (result !== undefined && result !== null) terminal.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
    for (const { code, message } of problems) terminal.stdout.write(`${code}: ${message}\n`);
    terminal.stdout.write(`completed (${used})\n`);
    return;
  }
  const code = outcome.reason ?? outcome.code ?? "failed";
  terminal.stderr.write(`failed ${code}: ${showPlace(outcome)}${outcome.message ?? ""}\n`);
  // the first of a script that could not be bundled is the outcome
  for (const problem of outcome.line === undefined ? problems : problems.slice(1)) {
    terminal.stderr.write(`  ${problem.code}: ${showPlace(problem)}${problem.message}\n`);
  }
  for (const { label, value } of outcome.context ?? []) terminal.stderr.write(`  ${label}: ${value}\n`);
  if (outcome.stack !== undefined) terminal.stderr.write(`${outcome.stack}\n`);
  terminal.stderr.write(`failed (${used})\n`);
}

function showPlace({ file, line, column }: Partial<Pick<Problem, "file" | "line" | "column">>): string {
  return file === undefined || line === undefined ? "" : `${file}:${line}:${column}: `;
}
