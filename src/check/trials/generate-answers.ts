/** Answers nobody gave: valid for their questions, the same for the same seed. */

import type { Json } from "../../core/json/json.ts";
import { checkGivenAnswer, isUnanswered } from "../../core/plan/answers.ts";
import type { HostFacts } from "../../core/plan/host-facts.ts";
import { resolveHostOptions } from "../../core/plan/resolve-options.ts";
import type { Question } from "../../core/script/dictionary.ts";
import type { Random } from "../../standin/random.ts";
import { PLAIN_FACTS } from "./host-profiles.ts";

/** Answers by question key. */
export type AnswerSet = Readonly<Record<string, Json>>;

/** An answer that fits the question; null where none does, as of a select without options. */
export function generateAnswer(question: Question, random: Random): Json {
  const answer = drawAnswer(question, random);
  return checkGivenAnswer(question, answer) === null ? answer : null;
}

/** Answers to what is required and has no default, so that an install takes them. */
export function generateRequired(
  questions: readonly Question[],
  random: Random,
  facts: HostFacts = PLAIN_FACTS,
): AnswerSet {
  const open = resolveHostOptions(questions, facts).filter(
    ({ required, default: offered }) => required && (isUnanswered(offered) || offered === ""),
  );
  return Object.fromEntries(
    open.flatMap((question) => {
      const answer = generateAnswer(question, random);
      return answer === null ? [] : [[question.key, answer]];
    }),
  );
}

function drawAnswer({ type, options = [], key }: Question, random: Random): Json {
  switch (type) {
    case "select":
      return options.find(({ value }) => value !== "")?.value ?? null;
    case "number":
      return Math.floor(random.between(1, 100));
    case "boolean":
      return random.between(0, 1) < 0.5;
    case "text":
    case "password":
      return `${key.slice(0, 40)}-${random.hex(8)}`;
  }
}
