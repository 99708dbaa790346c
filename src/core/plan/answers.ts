/** Whether an answer fits its question (docs/install-scripts.md, "Questions"). */

import type { Json } from "../json/json.ts";
import { quote } from "../rules/row.ts";
import type { Question } from "../script/dictionary.ts";
import { exceedsBytes, MAX_TEXT_BYTES } from "../script/script-limits.ts";

export interface AnswerFault {
  readonly code: "ANSWER_REQUIRED" | "ANSWER_TYPE" | "ANSWER_OPTION" | "ANSWER_TOO_LONG";
  readonly message: string;
}

type Asked = Pick<Question, "key" | "type" | "options" | "required">;

/** The fault of an answer, also of a hook input's question, or null; null and undefined mean "not answered". */
export function checkAnswer(question: Asked, answer: Json | undefined): AnswerFault | null {
  if (isUnanswered(answer)) return question.required ? createRequiredFault(question) : null;
  return checkType(question, answer) ?? (answer === "" && question.required ? createRequiredFault(question) : null);
}

/** The fault of an answer a person gives, or null: nobody types more than a text of a script may have. */
export function checkGivenAnswer(question: Asked, answer: Json | undefined): AnswerFault | null {
  if (typeof answer !== "string" || !exceedsBytes(answer, MAX_TEXT_BYTES)) return checkAnswer(question, answer);
  const message = `the answer to ${quote(question.key)} has more than ${MAX_TEXT_BYTES / 1024} KB`;
  return { code: "ANSWER_TOO_LONG", message };
}

/** Nothing given; `""` is an answer, but none that satisfies `required`. */
export function isUnanswered(answer: Json | undefined): answer is null | undefined {
  return answer === undefined || answer === null;
}

/**
 * The default of a question: a required yes or no has one even where its author names none, since a box that nobody ticks
 * says no.
 */
export function readDefault({ type, required, default: declared }: Question): Json | undefined {
  const isBare = isUnanswered(declared) || declared === "";
  return type === "boolean" && required && isBare ? false : declared;
}

/** The fault of a required question without an answer. */
export function createRequiredFault({ key }: Pick<Question, "key">): AnswerFault {
  return { code: "ANSWER_REQUIRED", message: `the question "${key}" requires an answer` };
}

function checkType({ key, type, options = [] }: Asked, answer: Json): AnswerFault | null {
  const createTypeFault = (allowed: string): AnswerFault => {
    const message = `the answer to "${key}" must be ${allowed}, not ${describeKind(answer)}`;
    return { code: "ANSWER_TYPE", message };
  };
  switch (type) {
    case "text":
    case "password":
      return typeof answer === "string" ? null : createTypeFault("a string");
    case "number":
      return typeof answer === "number" && Number.isFinite(answer) ? null : createTypeFault("a number");
    case "boolean":
      return typeof answer === "boolean" ? null : createTypeFault("true or false");
    case "select": {
      const written = JSON.stringify(answer);
      if (options.some(({ value }) => JSON.stringify(value) === written)) return null;
      const allowed = options.map(({ value }) => JSON.stringify(value)).join(", ") || "none";
      return {
        code: "ANSWER_OPTION",
        message: `the answer ${quote(answer)} to "${key}" is not an option; allowed are ${allowed}`,
      };
    }
  }
}

/** The value itself stays out of the message: it may be a misplaced password. */
function describeKind(value: Json): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : typeof value === "string" ? "a string" : `a ${typeof value}`;
}
