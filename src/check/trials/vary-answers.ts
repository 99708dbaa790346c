/** Answers that take a script's `$IF`s both ways: each question by itself first, those of one condition together after. */

import type { Json } from "../../core/json/json.ts";
import { type Condition, readLiteralText, type Sequence } from "../../core/macros/tree.ts";
import { checkGivenAnswer } from "../../core/plan/answers.ts";
import { resolveHostOptions } from "../../core/plan/resolve-options.ts";
import type { Dictionary, Question } from "../../core/script/dictionary.ts";
import type { PlacedCall } from "../resolve/macro-calls.ts";
import type { AnswerSet } from "./generate-answers.ts";
import { PLAIN_FACTS } from "./host-profiles.ts";

/** Options of one question that are tried. */
const MOST_OPTIONS = 50;
/** Answers tried together for one condition. */
const MOST_TOGETHER = 64;

/** One change of one question a set, over the answers every set has. */
export function varyEach(
  { questions }: Dictionary,
  calls: readonly PlacedCall[],
  base: AnswerSet,
): readonly AnswerSet[] {
  const compared = listCompared(calls);
  return questions.flatMap((question) =>
    listCandidates(question, compared.get(question.key) ?? []).map((value) => ({ ...base, [question.key]: value })),
  );
}

/** Every combination of the questions one text's conditions ask about, as many as are tried. */
export function varyTogether(
  { questions }: Dictionary,
  calls: readonly PlacedCall[],
  base: AnswerSet,
): readonly AnswerSet[] {
  const compared = listCompared(calls);
  const keys = new Set(calls.flatMap(({ call }) => (call.name === "QUESTION" ? [call.key] : [])));
  const sets: AnswerSet[] = [base];
  for (const question of questions.filter(({ key }) => keys.has(key))) {
    const values = listCandidates(question, compared.get(question.key) ?? []);
    const changed = sets.flatMap((set) => values.map((value) => ({ ...set, [question.key]: value })));
    sets.push(...changed.slice(0, MOST_TOGETHER - sets.length));
  }
  return sets.slice(1);
}

/** Answers of a question that may matter: both of a boolean, every option, what it is compared with. */
function listCandidates(declared: Question, compared: readonly string[]): readonly Json[] {
  const [question = declared] = resolveHostOptions([declared], PLAIN_FACTS);
  return drawCandidates(question, compared).filter((value) => checkGivenAnswer(question, value) === null);
}

function drawCandidates({ type, options = [] }: Question, compared: readonly string[]): readonly Json[] {
  switch (type) {
    case "boolean":
      return [true, false];
    case "select":
      return options.slice(0, MOST_OPTIONS).map(({ value }) => value);
    case "number":
      return [0, 1, ...compared.map(Number).filter(Number.isFinite)];
    case "text":
    case "password":
      return ["", "other", ...compared];
  }
}

/** The literal texts every question is compared with. */
function listCompared(calls: readonly PlacedCall[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  const look = (condition: Condition): void => {
    if (condition.kind === "not") look(condition.condition);
    else if (condition.kind === "all" || condition.kind === "any") condition.conditions.forEach(look);
    else if (condition.kind === "equal") {
      const { left, right } = condition;
      const literal = readLiteralText(left) ?? readLiteralText(right);
      if (literal === null) return;
      for (const key of [...listKeys(left), ...listKeys(right)])
        found.set(key, [...(found.get(key) ?? []), literal.trim()]);
    }
  };
  for (const { call } of calls) if (call.name === "IF") look(call.condition);
  return found;
}

function listKeys({ parts }: Sequence): readonly string[] {
  return parts.flatMap((part) => (typeof part === "object" && part.name === "QUESTION" ? [part.key] : []));
}
