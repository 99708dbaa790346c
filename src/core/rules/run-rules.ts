import type { Code } from "../codes/code.ts";
import type { Severity } from "../codes/problems.ts";
import type { CodedFinding, Finding } from "./finding.ts";

type Table<Row> = { readonly [code in Code]?: Row };

/** A table's rows with their codes, in the order written. */
export function listRows<Row>(table: Table<Row>): readonly (readonly [Code, Row])[] {
  // Object.entries widens keys to string; the table's type holds them to codes.
  return Object.entries<Row | undefined>(table).flatMap(([code, row]) =>
    row === undefined ? [] : [[code as Code, row]],
  );
}

interface FindingRow<Subject, Found extends Finding> {
  readonly severity: Severity;
  readonly find: (subject: Subject) => readonly Found[];
}

/** Makes a judge of a table: runs every row over a subject; findings get their row's code and severity. */
export function runRules<Subject, Found extends Finding>(
  table: Table<FindingRow<Subject, Found>>,
): (subject: Subject) => readonly (Found & CodedFinding)[] {
  const rows = listRows(table);
  return (subject) => {
    let findings: (Found & CodedFinding)[] | null = null;
    for (const [code, { severity, find }] of rows) {
      for (const finding of find(subject)) {
        findings ??= [];
        findings.push({ ...finding, code, severity });
      }
    }
    return findings ?? [];
  };
}
