/** One value against its question: type, form, length, bounds and choices. */
import { isEqual } from "../json/is-equal.ts";
import type { Json, JsonPath } from "../json/json.ts";
import { coerceScalar, type ScalarType } from "./coerce.ts";
import type { JudgeContext, OpenAnswers } from "./judge-context.ts";
import { MAX_VALUE_TEXT, type ValueQuestion } from "./question.ts";
import { matchesValidChars } from "./valid-chars.ts";
import type { FaultKind, ValueFault } from "./value-fault.ts";

/** A question with one value. */
export type ScalarQuestion = ValueQuestion & { readonly type: ScalarType };

/** The value the host keeps of one sent, and its faults. */
export function judgeScalar(
  question: ScalarQuestion,
  value: Json,
  path: JsonPath,
  context: JudgeContext,
): { readonly value: Json; readonly faults: readonly ValueFault[] } {
  const open = context.openAnswers?.(value) ?? null;
  if (open !== null) return { value, faults: judgeOpen(question, open, path) };
  const judged = judgeKnown(question, value, context);
  const kept = judged.kept ?? value;
  const faults = judged.faults.map(({ kind, reason }) => ({ kind, path, question, reason, value }));
  if (faults.length > 0 || isEqual(kept, value)) return { value: kept, faults };
  return { value: kept, faults: [{ kind: "coerced", path, question, reason: "", value, kept }] };
}

interface Fault {
  readonly kind: FaultKind;
  readonly reason: string;
}

function judgeKnown(
  question: ScalarQuestion,
  value: Json,
  { certificates }: JudgeContext,
): { readonly kept?: Json; readonly faults: readonly Fault[] } {
  // the form of an optional field that is left empty
  if (value === "" && !question.required && isForm(question.type)) return { kept: value, faults: [] };
  if (question.choices !== null && !isCertificate(question)) {
    if (question.choices.includes(value)) return { kept: value, faults: [] };
    return { faults: [{ kind: "choice", reason: `Input should be ${listChoices(question.choices)}` }] };
  }
  const coerced = coerceScalar(question.type, value);
  if (!coerced.ok) return { faults: [coerced] };
  const kept = coerced.value;
  const fault =
    typeof kept === "string"
      ? checkText(question, kept)
      : typeof kept === "number"
        ? checkNumber(question, kept)
        : null;
  if (fault !== null) return { faults: [fault] };
  if (!isCertificate(question)) return { kept, faults: [] };
  if (certificates === undefined) return { kept, faults: [{ kind: "host", reason: "" }] };
  return {
    kept,
    faults: certificates.some((id) => id === kept)
      ? []
      : [{ kind: "certificate", reason: "Unable to locate certificate." }],
  };
}

/** An answer nobody has given yet is judged by its type; a text around one by its form too. */
function judgeOpen(question: ScalarQuestion, open: OpenAnswers, path: JsonPath): readonly ValueFault[] {
  const { keys: answers, example, whole } = open;
  const answered = typeof example === "number" ? "number" : "text";
  const report = (kind: FaultKind, reason: string): readonly ValueFault[] => [
    { kind, path, question, reason, answers, answered },
  ];
  if (whole && question.choices !== null) return report("choice", `Input should be ${listChoices(question.choices)}`);
  if (question.choices !== null) return [];
  const coerced = coerceScalar(question.type, example);
  if (!coerced.ok) return report(coerced.kind === "type" && !isForm(question.type) ? "type" : "form", coerced.reason);
  return [];
}

function isForm(type: ScalarType): boolean {
  return type === "uri" || type === "ipaddr";
}

function isCertificate({ refs }: ValueQuestion): boolean {
  return refs.includes("definitions/certificate");
}

function checkText(question: ScalarQuestion, text: string): Fault | null {
  if (isForm(question.type)) return null;
  const { minLength = 0, maxLength = question.type === "text" ? Number.POSITIVE_INFINITY : MAX_VALUE_TEXT } = question;
  const characters = [...text].length;
  const count = (limit: number) => `${limit} character${limit === 1 ? "" : "s"}`;
  if (characters < minLength) return { kind: "length", reason: `String should have at least ${count(minLength)}` };
  if (characters > maxLength) return { kind: "length", reason: `String should have at most ${count(maxLength)}` };
  const { validChars } = question;
  if (validChars === undefined || matchesValidChars(validChars, text)) return null;
  return { kind: "form", reason: `String should match pattern '${validChars}'` };
}

function checkNumber({ min, max }: ScalarQuestion, number: number): Fault | null {
  if (min !== undefined && number < min) {
    return { kind: "range", reason: `Input should be greater than or equal to ${min}` };
  }
  return max !== undefined && number > max
    ? { kind: "range", reason: `Input should be less than or equal to ${max}` }
    : null;
}

/** `'a', 'b' or 'c'`, as pydantic lists them. */
function listChoices(choices: readonly Json[]): string {
  const quoted = choices.map((choice) => (typeof choice === "string" ? `'${choice}'` : JSON.stringify(choice)));
  const last = quoted.pop() ?? "";
  return quoted.length === 0 ? last : `${quoted.join(", ")} or ${last}`;
}
