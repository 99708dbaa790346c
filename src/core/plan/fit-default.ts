import type { Json } from "../json/json.ts";
import { toText } from "../macros/macro-values.ts";
import type { Question } from "../script/dictionary.ts";

/**
 * A default in its question's type: macros in text yield text, `$APP_INSTALLED` the texts true and false, and an author
 * who wrote "8" for a number meant 8 (docs/decisions.md, section 1: a warning is kept as most plausibly meant).
 */
export function fitDefault(question: Question, value: Json): Json {
  switch (question.type) {
    case "text":
    case "password":
      return toText(value);
    case "number":
      return typeof value === "string" && value.trim() !== "" && Number.isFinite(Number(value)) ? Number(value) : value;
    case "boolean":
      return value === "true" ? true : value === "false" ? false : value;
    case "select":
      return question.options?.find((option) => toText(option.value) === toText(value))?.value ?? value;
  }
}
