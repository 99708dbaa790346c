/** Holds resolved values against the schema of their app, for a host that is known. */
import { isEqual } from "../json/is-equal.ts";
import { isJsonArray, isJsonObject, type Json, type JsonObject, type JsonPath } from "../json/json.ts";
import type { Diagnostic } from "../rules/diagnostic.ts";
import { getOwn } from "../script/parse/read-fields.ts";
import { describeFault } from "./fault-text.ts";
import type { JudgeContext } from "./judge-context.ts";
import { judgeValues } from "./judge-values.ts";
import type { AppSchema } from "./question.ts";
import { isRefusal, type ValueFault } from "./value-fault.ts";

/** Values as the host would get them. */
interface ResolvedValues {
  readonly values: JsonObject;
  /** The same with secrets masked. */
  readonly shown: JsonObject;
  /** The script's values, macros and all: where a finding stands. Empty if the values are the host's alone. */
  readonly script: JsonObject;
}

/**
 * What the host refuses of the values, and what else there is to say about those of the script. Values the script does not
 * have are the host's: only what it refuses of them is said, and they are not quoted, since any may be a secret.
 */
export function checkResolvedValues(
  schema: AppSchema,
  { values, shown, script }: ResolvedValues,
  context: JudgeContext,
): readonly Diagnostic[] {
  const isWithout = Object.keys(script).length === 0;
  return judgeValues(schema.questions, values, context).faults.flatMap((fault) => {
    const found = findInScript(script, fault.path);
    if (!found.isWhole && !isRefusal(fault)) return [];
    const visible = found.isWhole ? hideSecret(fault, shown) : dropValue(fault);
    const described = describeFault(visible, `${schema.app} ${schema.version}`);
    const severity = isRefusal(fault) ? "warning" : described.severity;
    const path = isWithout ? [] : ["app_values", ...found.path];
    return [{ ...described, severity, path, ...(fault.kind === "unknown" && { key: true }) }];
  });
}

function dropValue({ value: _, ...fault }: ValueFault): ValueFault {
  return fault;
}

/** The path as far as the script has it; whole also below what a macro makes. */
function findInScript(script: JsonObject, path: JsonPath): { readonly path: JsonPath; readonly isWhole: boolean } {
  let value: Json | undefined = script;
  for (const [at, step] of path.entries()) {
    // A macro makes what lies below it; an `$IF` of a list drops its item, and later ones move.
    if (typeof value === "string" || (isJsonArray(value) && value.some(mayVanish)))
      return { path: path.slice(0, at), isWhole: true };
    value = isJsonArray(value) ? value[Number(step)] : isJsonObject(value) ? getOwn(value, String(step)) : undefined;
    if (value === undefined) return { path: path.slice(0, at + 1), isWhole: false };
  }
  return { path, isWhole: true };
}

function mayVanish(item: Json): boolean {
  return typeof item === "string" && item.startsWith("$IF(");
}

function hideSecret(fault: ValueFault, shown: JsonObject): ValueFault {
  const { value } = fault;
  if (value === undefined) return fault;
  const visible = readAt(shown, fault.path);
  if (visible === undefined || isEqual(visible, value)) return fault;
  return { ...fault, value: visible, ...(fault.kept !== undefined && { kept: visible }) };
}

function readAt(values: Json, path: JsonPath): Json | undefined {
  let value: Json | undefined = values;
  for (const step of path) {
    value = isJsonArray(value) ? value[Number(step)] : isJsonObject(value) ? getOwn(value, String(step)) : undefined;
  }
  return value;
}
