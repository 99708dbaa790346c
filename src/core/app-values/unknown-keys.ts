import { isJsonObject, type Json } from "../json/json.ts";
import type { Dictionary } from "../script/dictionary.ts";
import { judgeValues } from "./judge-values.ts";
import type { AppSchema } from "./question.ts";
import { resolveVariant } from "./resolve-variant.ts";
import { listVariants } from "./script-variants.ts";

/** The keys of a script's values, with the usual answers: how many there are, and those the app has no question for. */
export function listUnknownKeys(
  { questions, appValues }: Pick<Dictionary, "questions" | "appValues">,
  schema: AppSchema,
): { readonly all: number; readonly unknown: readonly string[] } {
  const [usual] = listVariants(questions, appValues);
  if (usual === undefined) return { all: 0, unknown: [] };
  const { values } = resolveVariant(appValues, usual);
  const unknown = judgeValues(schema.questions, values).faults.filter(({ kind }) => kind === "unknown");
  return { all: countKeys(values), unknown: unknown.map(({ path }) => path.join(".")) };
}

function countKeys(value: Json): number {
  if (Array.isArray(value)) return value.reduce((sum: number, item: Json) => sum + countKeys(item), 0);
  if (!isJsonObject(value)) return 0;
  return Object.values(value).reduce<number>((sum, member) => sum + 1 + countKeys(member), 0);
}
