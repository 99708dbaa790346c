import type { Code } from "../codes/code.ts";
import type { Severity } from "../codes/problems.ts";
import type { Diagnostic, UncodedDiagnostic } from "./diagnostic.ts";

type Table<Row> = { readonly [code in Code]?: Row };

/** A table's rows with their codes, in the order written. */
export function listRows<Row>(table: Table<Row>): readonly (readonly [Code, Row])[] {
  // Object.entries widens keys to string; the table's type holds them to codes.
  return Object.entries<Row | undefined>(table).flatMap(([code, row]) =>
    row === undefined ? [] : [[code as Code, row]],
  );
}

interface DiagnosticRow<Subject, Found extends UncodedDiagnostic> {
  readonly severity: Severity;
  readonly find: (subject: Subject) => readonly Found[];
}

/** Makes a judge of a table: runs every row over a subject; diagnostics get their row's code and severity. */
export function runRules<Subject, Found extends UncodedDiagnostic>(
  table: Table<DiagnosticRow<Subject, Found>>,
): (subject: Subject) => readonly (Found & Diagnostic)[] {
  const rows = listRows(table);
  return (subject) => {
    let diagnostics: (Found & Diagnostic)[] | null = null;
    for (const [code, { severity, find }] of rows) {
      for (const diagnostic of find(subject)) {
        diagnostics ??= [];
        diagnostics.push({ ...diagnostic, code, severity });
      }
    }
    return diagnostics ?? [];
  };
}
