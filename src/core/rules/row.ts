import type { Severity } from "../codes/problems.ts";
import type { CodeText } from "../codes/row.ts";
import type { JsonObject, JsonPath } from "../json/json.ts";
import { escapeControlCharacters } from "../report/plain-text.ts";
import { readText } from "../script/parse/read-fields.ts";
import type { UncodedDiagnostic } from "./diagnostic.ts";
import type { FieldIssue } from "./field-issue.ts";

/** Members of every row of the rule table; its key in the table is the code. */
export interface RuleRow extends CodeText {
  readonly severity: Severity;
  /** Places in the documents that say so. */
  readonly see: string;
  /** A whole script that has the fault and no other. */
  readonly bad: string;
  readonly good: string;
}

/** A row that judges issues of the schema; of all rows the first that takes an issue counts. */
export interface FieldRule extends RuleRow {
  readonly takes: (issue: FieldIssue) => boolean;
  readonly message: (issue: FieldIssue) => string;
  /** In place of the row's hint. */
  readonly hintFor?: (issue: FieldIssue) => string | undefined;
}

/** A row that looks at a subject as a whole. */
export interface SubjectRule<Subject> extends RuleRow {
  readonly find: (subject: Subject) => readonly UncodedDiagnostic[];
}

/** Where a missing key is shown: at the object's `id`, else at its brace (docs/decisions.md, section 1). */
export function findMissingPlace(path: JsonPath, object: JsonObject): JsonPath {
  return readText(object, "id") === undefined ? path : [...path, "id"];
}

/** One diagnostic, or none. */
export function reportWhen(found: boolean, diagnostic: () => UncodedDiagnostic): readonly UncodedDiagnostic[] {
  return found ? [diagnostic()] : [];
}

/** A value quoted in a message, shortened. */
export function quote(value: unknown): string {
  const text = JSON.stringify(typeof value === "string" ? value.slice(0, QUOTED) : value) ?? "nothing";
  return escapeControlCharacters(text.length <= QUOTED ? text : `${text.slice(0, QUOTED - 3)}...`);
}

const QUOTED = 60;
/** Names listed in a message. */
const LISTED = 20;

/** Names in a message, each quoted; of many the first. `none` where there are none. */
export function quoteAll(names: Iterable<string>): string {
  const all = [...names];
  const more = all.length > LISTED ? ` and ${all.length - LISTED} more` : "";
  return all.length === 0 ? "none" : `${all.slice(0, LISTED).map(quote).join(", ")}${more}`;
}
