/** What a level finds in one app, each once. */
import type { Code } from "../core/codes/code.ts";
import { explain } from "../core/codes/codes.ts";
import { EngineError, type Problem } from "../core/codes/problems.ts";
import type { JsonPath } from "../core/json/json.ts";
import { readMessage } from "../core/json/read-message.ts";
import type { Diagnostic } from "../core/rules/diagnostic.ts";
import { toProblems } from "../core/script/parse/place-problems.ts";
import type { TaskView } from "../engine/api.ts";
import type { Subject } from "./subject.ts";

/** Findings of one level of one app that are shown. */
const MOST = 20;

/** Collects findings: errors at places of the app's script, or of another file of the catalog. */
export class Findings {
  readonly #app: Pick<Subject, "text">;
  readonly #found = new Map<string, Diagnostic>();
  readonly #elsewhere: Problem[] = [];

  constructor(app: Pick<Subject, "text">) {
    this.#app = app;
  }

  /** Adds one at a place of the script; of one code the first at a place counts. */
  add(code: Code, message: string, path: JsonPath, hint?: string): void {
    const key = JSON.stringify([code, path, path.length === 0 ? message : ""]);
    if (this.#found.has(key) || this.#found.size >= MOST) return;
    this.#found.set(key, { code, severity: "error", message, path, ...(hint !== undefined && { hint }) });
  }

  /** Adds one of another file, relative to the catalog. */
  addOf(file: string, code: Code, message: string, hint = explain(code).hint): void {
    if (this.#elsewhere.length >= MOST) return;
    this.#elsewhere.push({ code, severity: "error", message, path: [], file, line: 1, column: 1, length: 1, hint });
  }

  /** Adds what another collection of the same app has found, so that plays side by side are told in their order. */
  addAll(other: Findings): void {
    for (const { code, message, path, hint } of other.#found.values()) this.add(code, message, path, hint);
    this.#elsewhere.push(...other.#elsewhere.slice(0, MOST - this.#elsewhere.length));
  }

  isEmpty(): boolean {
    return this.#found.size + this.#elsewhere.length === 0;
  }

  list(): readonly Problem[] {
    return [...this.#elsewhere, ...toProblems(this.#app.text, [...this.#found.values()])];
  }
}

/** Why a task is not done, with its author's own words. */
export function describeFailure({ failure, state }: Pick<TaskView, "failure" | "state">): string {
  if (failure === undefined) return state;
  const { code, message, context } = failure;
  // A stack is for whoever runs the hook alone.
  const plain = context.filter(({ value }) => !value.includes("\n"));
  const details = plain.map(({ label, value }) => `${label}: ${value}`).join(", ");
  return `${code}: ${message}${details === "" ? "" : ` (${details})`}`;
}

/** An error of the engine with its code, any other with its text. */
export function describeError(error: unknown): string {
  return error instanceof EngineError ? `${error.code}: ${error.message}` : readMessage(error);
}
