import { MAX_PROBLEMS } from "../script/script-limits.ts";
import type { Diagnostic } from "./diagnostic.ts";

/** The diagnostics of one file: the first are kept, the rest only counted, so that no file makes many megabytes of them. */
export class DiagnosticList {
  readonly kept: Diagnostic[] = [];
  /** How many were found beyond those kept. */
  rest = 0;

  /** Whether the next diagnostic is only counted: whoever makes diagnostics at a cost need not make them any more. */
  get full(): boolean {
    return this.kept.length >= MAX_PROBLEMS;
  }

  add(diagnostic: Diagnostic): void {
    if (this.full) this.rest += 1;
    else this.kept.push(diagnostic);
  }

  addList({ kept, rest }: DiagnosticList): void {
    this.addAll(kept);
    this.rest += rest;
  }

  addAll(diagnostics: Iterable<Diagnostic>): void {
    for (const diagnostic of diagnostics) this.add(diagnostic);
  }
}
