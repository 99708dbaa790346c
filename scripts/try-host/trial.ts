/** A trial under way: what its steps have in common. */
import type { Json, JsonObject } from "../../src/core/json/json.ts";
import type { Engine, TaskView } from "../../src/engine/api.ts";
import { type HostApi, orMissing } from "./host-api.ts";
import type { TryOptions } from "./options.ts";
import type { Check, Hidden, Report, Step } from "./report.ts";
import { APP, type TrialPaths } from "./trial-app.ts";

/** Where a trial writes and asks. */
export interface TrialTerminal {
  print(line: string): void;
  /** Whether the person agrees; false where nobody can be asked. */
  confirm(question: string): Promise<boolean>;
  /** Aborts at Ctrl-C and SIGTERM. */
  readonly signal: AbortSignal;
}

/** What the look before the trial found out. */
export interface Found {
  readonly port: number;
  readonly train: string;
  /** The newest version of the app in the host's catalog. */
  readonly newest: string;
  /** An older version the host's catalog still has. */
  readonly older: string | null;
  /** The dataset mounted at the location. */
  readonly dataset: string;
  readonly smb: JsonObject;
}

export interface Trial {
  readonly options: TryOptions;
  readonly terminal: TrialTerminal;
  readonly api: HostApi;
  readonly engine: Engine;
  readonly paths: TrialPaths;
  readonly found: Found;
  readonly hidden: Hidden;
  readonly report: Report;
}

/** Ends a step as skipped: it can't be done on this host, for a reason that is no fault. */
export class Skipped extends Error {}

/** The part of a step that notes what was expected on the host and what was found. */
export interface Checks {
  readonly list: Check[];
  readonly marks: string[];
  equal(what: string, found: Json, expected: Json): void;
  /** Waits for a task to rest and notes its marks. Throws when it did not complete. */
  settled(task: Promise<TaskView>): Promise<TaskView>;
}

/**
 * Runs one step and notes it; the report has it whatever happens. False when it could not be done: then what builds on it
 * is not tried. A check that fails keeps nothing from being tried.
 */
export async function runStep(
  { report, terminal, engine }: Trial,
  title: string,
  run: (checks: Checks) => Promise<void>,
): Promise<boolean> {
  const started = performance.now();
  const checks = createChecks(engine, terminal);
  terminal.print(`- ${title}`);
  let end: Pick<Step, "state" | "reason"> = { state: "passed" };
  let isDone = true;
  try {
    terminal.signal.throwIfAborted();
    await run(checks);
    if (checks.list.some(({ ok }) => !ok)) end = { state: "failed", reason: "the host has it otherwise" };
  } catch (error) {
    isDone = error instanceof Skipped;
    const state = isDone || terminal.signal.aborted ? "skipped" : "failed";
    end = { state, reason: terminal.signal.aborted ? "interrupted" : readReason(error) };
  }
  const seconds = Math.round((performance.now() - started) / 100) / 10;
  report.steps.push({ step: title, ...end, seconds, checks: checks.list, marks: checks.marks });
  for (const { ok, what, expected, found } of checks.list) {
    const text = ok ? "" : `: expected ${JSON.stringify(expected)}, found ${JSON.stringify(found)}`;
    terminal.print(`    ${ok ? "ok" : "NOT"}  ${what}${text}`);
  }
  if (end.state !== "passed") terminal.print(`    ${end.state}: ${end.reason}`);
  return isDone;
}

/** Notes steps that nobody tries any more. */
export function skipSteps({ report, terminal }: Trial, titles: readonly string[], reason: string): void {
  for (const step of titles) {
    report.steps.push({ step, state: "skipped", reason, seconds: 0, checks: [], marks: [] });
    terminal.print(`- ${step}\n    skipped: ${reason}`);
  }
}

function createChecks(engine: Engine, { print, signal }: TrialTerminal): Checks {
  const list: Check[] = [];
  const marks: string[] = [];
  return {
    list,
    marks,
    equal: (what, found, expected) => {
      list.push({ what, ok: JSON.stringify(found) === JSON.stringify(expected), expected, found });
    },
    settled: async (begun) => {
      const { id } = await begun;
      let shown = "";
      const show = setInterval(() => {
        const { doing, progress } = engine.task(id) ?? {};
        const line = `    ${progress ?? 0} % ${doing ?? ""}`.trimEnd();
        if (line !== shown) print(line);
        shown = line;
      }, 1_000);
      const task = await engine.settled(id, signal).finally(() => clearInterval(show));
      marks.push(...task.marks);
      if (task.state === "COMPLETED") return task;
      throw new Error(`${task.title}: ${task.state}${task.failure === undefined ? "" : `: ${describe(task.failure)}`}`);
    },
  };
}

function describe({ code, message }: { readonly code: string; readonly message: string }): string {
  return `${code}: ${message}`;
}

/** An error in one line, its code first where it has one. */
export function readReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return "code" in error && typeof error.code === "string" ? `${error.code}: ${error.message}` : error.message;
}

/** The app as the host has it, or null. */
export async function readApp(api: HostApi): Promise<JsonObject | null> {
  const [app] = await api.rows("app.query", [["id", "=", APP]]);
  return app ?? null;
}

/** What `filesystem.stat` says of a path, or null where it does not exist. */
export async function statPath(api: HostApi, path: string): Promise<Json | null> {
  return orMissing(api.call("filesystem.stat", path));
}

/** Names of the datasets at and below one. */
export async function listDatasets(api: HostApi, top: string): Promise<readonly string[]> {
  const rows = await api.rows("pool.dataset.query", [["id", "^", top]], { extra: { retrieve_children: false } });
  return rows.map(({ id }) => String(id)).filter((id) => id === top || id.startsWith(`${top}/`));
}
