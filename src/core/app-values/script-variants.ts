/** The answers an install script's values are judged with: each option of each question at least once. */
import type { Json, JsonObject } from "../json/json.ts";
import { parseTemplate } from "../macros/parse.ts";
import { listMacroStrings } from "../macros/places.ts";
import type { Call, Condition, Sequence } from "../macros/tree.ts";
import { readLiteralText } from "../macros/tree.ts";
import { isUnanswered, readDefault } from "../plan/answers.ts";
import { hasOptionMacro } from "../plan/resolve-options.ts";
import type { Question } from "../script/dictionary.ts";
import { markAnswer } from "./open-answers.ts";

/** One set of answers. */
export interface Variant {
  readonly answers: ReadonlyMap<string, Json>;
  /** Whether every app the script asks about is installed. */
  readonly appsInstalled: boolean;
  /** What differs from the first variant; null for the first. */
  readonly differs: { readonly key: string; readonly value: Json } | null;
}

/** Most sets of answers of one script. */
const MOST_VARIANTS = 64;

/** The first variant has the defaults; each other one has one more answer changed. */
export function listVariants(questions: readonly Question[], values: JsonObject): readonly Variant[] {
  const calls = listMacroStrings(values, []).flatMap(({ text, key }) => (key ? [] : parseTemplate(text).calls));
  if (calls.length === 0) return [{ answers: new Map(), appsInstalled: false, differs: null }];
  const used = new Set(calls.flatMap((call) => (call.name === "QUESTION" ? [call.key] : [])));
  const compared = listComparedTexts(calls);
  const base = new Map(questions.map((question, index) => [question.key, firstAnswer(question, index)]));
  const variants: Variant[] = [{ answers: base, appsInstalled: false, differs: null }];
  if (calls.some(({ name }) => name === "APP_INSTALLED")) {
    variants.push({ answers: base, appsInstalled: true, differs: null });
  }
  for (const question of questions) {
    const { key } = question;
    if (!used.has(key)) continue;
    for (const value of listOthers(question, compared)) {
      if (variants.length >= MOST_VARIANTS) return variants;
      if (value === base.get(key)) continue;
      const answers = new Map(base).set(key, value);
      variants.push({ answers, appsInstalled: false, differs: { key, value } });
    }
  }
  return variants;
}

function firstAnswer(question: Question, index: number): Json {
  const { type, options = [] } = question;
  const fallback = readDefault(question);
  switch (type) {
    case "text":
    case "password":
      return markAnswer(index, "text");
    case "number":
      return markAnswer(index, "number");
    case "boolean":
      return fallback === true || fallback === "true";
    case "select":
      return options.find(({ value }) => value === fallback)?.value ?? options[0]?.value ?? "";
  }
}

function listOthers(question: Question, compared: readonly string[]): readonly Json[] {
  const { type, options = [] } = question;
  const isOptional = !question.required && isUnanswered(readDefault(question));
  const none = isOptional ? [""] : [];
  switch (type) {
    case "text":
    case "password":
      return [...none, ...compared];
    case "number":
      return none;
    case "boolean":
      return [true, false, ...none];
    case "select":
      // What an option comes to is the host's to say: the default shows one.
      return [...(hasOptionMacro(question) ? [] : options.map(({ value }) => value)), ...none];
  }
}

/** Texts a condition compares answers with: each may open another branch. */
function listComparedTexts(calls: readonly Call[]): readonly string[] {
  const found = new Set<string>();
  const look = (condition: Condition): void => {
    if (condition.kind === "not") look(condition.condition);
    else if (condition.kind === "all" || condition.kind === "any") condition.conditions.forEach(look);
    else if (condition.kind === "equal") for (const side of [condition.left, condition.right]) add(side);
  };
  const add = (side: Sequence): void => {
    const text = readLiteralText(side);
    if (text !== null) found.add(text.trim());
  };
  for (const call of calls) if (call.name === "IF") look(call.condition);
  return [...found];
}
