/** Holds the values of a custom app against those of the generic app, as which the host runs it. */
import type { Diagnostic } from "../rules/diagnostic.ts";
import { quote } from "../rules/row.ts";
import type { Dictionary } from "../script/dictionary.ts";
import { checkScriptValues } from "./check-script-values.ts";
import { GENERIC_KEYS, GENERIC_SCHEMA } from "./generic-app.ts";

/** Values of another form, e.g. a compose file, are one error: the host would refuse them. */
export function checkCustomValues(script: Pick<Dictionary, "questions" | "appValues">): readonly Diagnostic[] {
  const keys = Object.keys(script.appValues);
  const foreign = keys.includes("image") ? undefined : keys.find((key) => !GENERIC_KEYS.has(key));
  if (foreign === undefined) return checkScriptValues(script, GENERIC_SCHEMA);
  const message = `${quote(foreign)} is no value of the generic app, as which the host runs a custom app`;
  return [{ code: "VALUE_NOT_GENERIC", severity: "error", message, path: ["app_values", foreign], key: true }];
}
