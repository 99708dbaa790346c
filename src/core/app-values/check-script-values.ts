/** Holds an install script's `app_values` against the schema of its app, before there is a host or an answer. */
import { isJsonObject, type Json } from "../json/json.ts";
import type { Diagnostic } from "../rules/diagnostic.ts";
import { quote } from "../rules/row.ts";
import type { Dictionary } from "../script/dictionary.ts";
import { getOwn } from "../script/parse/read-fields.ts";
import { describeFault } from "./fault-text.ts";
import type { JudgeContext } from "./judge-context.ts";
import { judgeValues } from "./judge-values.ts";
import { findOpenAnswers } from "./open-answers.ts";
import type { AppSchema } from "./question.ts";
import { resolveVariant } from "./resolve-variant.ts";
import { listVariants, type Variant } from "./script-variants.ts";
import type { ValueFault } from "./value-fault.ts";

/** What a script says about its values. */
type Script = Pick<Dictionary, "questions" | "appValues">;

/**
 * Every finding once, the first set of answers that shows it named if it is not the usual one. `certificates`: those of the
 * host, where one is known.
 */
export function checkScriptValues(
  { questions, appValues }: Script,
  schema: AppSchema,
  context: JudgeContext = {},
): readonly Diagnostic[] {
  const keys = questions.map(({ key }) => key);
  const openAnswers = (value: Json) => findOpenAnswers(keys, value);
  const found = new Map<string, Diagnostic>();
  for (const variant of listVariants(questions, appValues)) {
    const { values, toScript } = resolveVariant(appValues, variant);
    for (const fault of judgeValues(schema.questions, values, { ...context, openAnswers }).faults) {
      const path = ["app_values", ...toScript(fault.path)];
      const key = JSON.stringify([fault.kind, path]);
      if (found.has(key)) continue;
      const diagnostic = toDiagnostic(fault, path, variant, schema);
      const isMacro = fault.kind === "coerced" && readText(appValues, path.slice(1))?.includes("$") === true;
      found.set(key, isMacro ? { ...diagnostic, hint: `let the macro yield ${quote(fault.kept)}` } : diagnostic);
    }
  }
  return [...found.values()];
}

function toDiagnostic(fault: ValueFault, path: Diagnostic["path"], variant: Variant, schema: AppSchema): Diagnostic {
  const { message, ...described } = describeFault(fault, `${schema.app} ${schema.version}`);
  const { differs } = variant;
  const when = differs === null ? "" : `, if the answer to ${quote(differs.key)} is ${quote(differs.value)}`;
  return { ...described, message: `${message}${when}`, path, ...(fault.kind === "unknown" && { key: true }) };
}

function readText(value: Json | undefined, [step, ...rest]: Diagnostic["path"]): string | undefined {
  if (step === undefined) return typeof value === "string" ? value : undefined;
  if (Array.isArray(value)) return typeof step === "number" ? readText(value[step], rest) : undefined;
  return isJsonObject(value) ? readText(getOwn(value, String(step)), rest) : undefined;
}
