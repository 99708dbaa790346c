import { isEqual } from "../json/is-equal.ts";
import type { Json, JsonObject } from "../json/json.ts";
import { getOwn } from "../script/parse/read-fields.ts";
import { coerceScalar } from "./coerce.ts";
import type { ShowIf, ValueQuestion } from "./question.ts";

/** The first condition that hides a question, or null if it is shown. A missing sibling equals nothing. */
export function findHidingCondition(
  { showIf }: ValueQuestion,
  siblings: readonly ValueQuestion[],
  sent: JsonObject,
): ShowIf | null {
  return showIf.find((condition) => !holds(condition, siblings, sent)) ?? null;
}

function holds({ key, negated, value }: ShowIf, siblings: readonly ValueQuestion[], sent: JsonObject): boolean {
  const sibling = siblings.find((question) => question.key === key);
  const found = getOwn(sent, key) ?? sibling?.default;
  const kept = found === undefined ? undefined : toKept(sibling, found);
  return (kept !== undefined && isEqual(kept, value)) !== negated;
}

function toKept(question: ValueQuestion | undefined, value: Json): Json {
  if (question === undefined || question.type === "dict" || question.type === "list") return value;
  const coerced = coerceScalar(question.type, value);
  return coerced.ok ? coerced.value : value;
}
