import { join } from "node:path";
import type { Problem } from "../../core/codes/problems.ts";
import type { AppReport } from "../app-report.ts";

/** Where a finding stands, by the catalog's name: `catalog/app.json:3:5`. */
export function describePlace(finding: Problem, app: Pick<AppReport, "file">, catalog: string): string {
  return `${join(catalog, finding.file ?? app.file)}:${finding.line}:${finding.column}`;
}

/** A finding on one line with its place. */
export function describeFinding(finding: Problem, app: Pick<AppReport, "file">, catalog: string): string {
  const { severity, code, message } = finding;
  return `${describePlace(finding, app, catalog)}: ${severity} ${code}: ${message}`;
}
