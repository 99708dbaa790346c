/** What the schema of a script's app finds in its `app_values`. */
import { checkCustomValues } from "../../core/app-values/check-custom-values.ts";
import { checkScriptValues } from "../../core/app-values/check-script-values.ts";
import type { Diagnostic } from "../../core/rules/diagnostic.ts";
import { DiagnosticList } from "../../core/rules/diagnostic-list.ts";
import { findNearest } from "../../core/rules/nearest.ts";
import { quote } from "../../core/rules/row.ts";
import type { Dictionary } from "../../core/script/dictionary.ts";
import { compareProblems, listProblems } from "../../core/script/parse/place-problems.ts";
import type { ReadFile } from "../catalog/validate-file.ts";
import type { AppSchemas } from "./found-schema.ts";

/** A validated file with these problems too. A custom app is held against the generic app, others if schemas are given. */
export async function withValueProblems(read: ReadFile, schemas: AppSchemas | undefined): Promise<ReadFile> {
  const { dictionary, problems, text } = read;
  if (dictionary === null || (schemas === undefined && !dictionary.custom)) return read;
  const found = new DiagnosticList();
  found.addAll(dictionary.custom ? checkCustomValues(dictionary) : await findValueDiagnostics(dictionary, schemas));
  if (found.kept.length === 0) return read;
  const usable = read.usable && !found.kept.some(({ severity }) => severity === "error");
  return { ...read, usable, problems: [...problems, ...listProblems(text, found)].sort(compareProblems) };
}

async function findValueDiagnostics(
  dictionary: Dictionary,
  schemas: AppSchemas | undefined,
): Promise<readonly Diagnostic[]> {
  const { appId } = dictionary;
  const found = await schemas?.find(appId);
  switch (found?.kind) {
    case undefined:
      return [];
    case "schema":
      return checkScriptValues(dictionary, found.schema);
    case "unknown": {
      const nearest = findNearest(appId, found.apps);
      const message = `the host's catalog has no app ${quote(appId)}`;
      const hint = nearest === undefined ? {} : { hint: `name the file "${nearest}.json", if that is the app` };
      return [{ code: "VALUE_APP_UNKNOWN", severity: "warning", message, path: ["app_values"], key: true, ...hint }];
    }
    case "faulty": {
      const message = `the schema of ${quote(appId)} can't be read: ${found.reason}`;
      return [{ code: "VALUE_SCHEMA_INVALID", severity: "warning", message, path: ["app_values"], key: true }];
    }
  }
}
