/** Issues of the schema, each judged by the first row that takes it. */
import { isJsonObject, type JsonObject, type JsonPath } from "../json/json.ts";
import { LIFECYCLE_EVENTS } from "../script/dictionary.ts";
import { readsWidgets } from "../script/parse/normalize.ts";
import { matchMember, readText } from "../script/parse/read-fields.ts";
import { SCRIPT_SCHEMAS } from "../script/script-schema.ts";
import type { Diagnostic } from "./diagnostic.ts";
import type { DiagnosticList } from "./diagnostic-list.ts";
import { type Dialect, type FieldIssue, toFieldIssues } from "./field-issue.ts";
import { listKnownKeys } from "./known-keys.ts";
import { type FieldRule, findMissingPlace } from "./row.ts";
import { FIELD_RULES } from "./rows/field-rules.ts";
import { GENERAL_FIELD_RULES } from "./rows/general-field-rules.ts";
import { listRows } from "./run-rules.ts";

const FIELD_ROWS = listRows<FieldRule>({ ...FIELD_RULES, ...GENERAL_FIELD_RULES });

/** Adds what the schema finds in a script of a dialect. */
export function checkFields(script: JsonObject, dialect: Dialect, diagnostics: DiagnosticList): void {
  const result = SCRIPT_SCHEMAS[dialect].safeParse(script);
  if (result.success) return;
  const readsAll = readsWidgets(script);
  for (const issue of toFieldIssues(script, dialect, result.error.issues)) {
    if (!readsAll && issue.path[0] === "widgets" && (issue.kind !== "key" || issue.path.length > 1)) continue;
    if (isOfFutureEvent(issue)) continue;
    if (diagnostics.full) diagnostics.rest += 1;
    else diagnostics.addAll(checkField(issue, script));
  }
}

/** Whether an issue is about another field of an entry of `events` that is dropped as future vocabulary. */
function isOfFutureEvent({ field, holder }: FieldIssue): boolean {
  if (!field.startsWith("hooks.*.events.*.") || field === "hooks.*.events.*.event") return false;
  const event = isJsonObject(holder) ? readText(holder, "event") : undefined;
  return event !== undefined && event !== "userAction" && matchMember(LIFECYCLE_EVENTS, event) === undefined;
}

function checkField(found: FieldIssue, script: JsonObject): readonly Diagnostic[] {
  const above = found.path.slice(0, -1);
  const issue = found.kind === "key" ? { ...found, words: listKnownKeys(found.dialect, above) } : found;
  for (const [code, row] of FIELD_ROWS) {
    if (!row.takes(issue)) continue;
    const hint = row.hintFor?.(issue);
    return [
      {
        code,
        severity: row.severity,
        message: row.message(issue),
        ...findPlace(issue, script),
        ...(hint === undefined ? {} : { hint }),
      },
    ];
  }
  return [];
}

function findPlace({ kind, path, holder }: FieldIssue, script: JsonObject): { path: JsonPath; key?: true } {
  if (kind === "key") return { path, key: true };
  if (kind !== "missing") return { path };
  const above = path.slice(0, -1);
  return { path: findMissingPlace(above, isJsonObject(holder) ? holder : script) };
}
