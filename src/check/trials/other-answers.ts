/** Answers another person would give: each fits its question, and is not the one there is. */
import { isEqual } from "../../core/json/is-equal.ts";
import type { Json } from "../../core/json/json.ts";
import { checkGivenAnswer } from "../../core/plan/answers.ts";
import { resolveHostOptions } from "../../core/plan/resolve-options.ts";
import type { Question } from "../../core/script/dictionary.ts";
import type { Random } from "../../standin/random.ts";
import { type AnswerSet, generateAnswer } from "./generate-answers.ts";
import { PLAIN_FACTS } from "./host-profiles.ts";

/** An answer that differs from the one there is; null where none is known that may work, as of a path. */
export function changeAnswer(declared: Question, present: Json | undefined, random: Random): Json | null {
  const [question = declared] = resolveHostOptions([declared], PLAIN_FACTS);
  const answer = drawOther(question, present, random);
  if (answer === null || isEqual(answer, present)) return null;
  return checkGivenAnswer(question, answer) === null ? answer : null;
}

/** Answers that differ from the defaults wherever one is known; generated defaults stay. */
export function answerOtherwise(questions: readonly Question[], random: Random): AnswerSet {
  return Object.fromEntries(
    questions.flatMap((question) => {
      if (typeof question.default === "string" && question.default.includes("$")) return [];
      const answer = changeAnswer(question, question.default, random);
      return answer === null ? [] : [[question.key, answer]];
    }),
  );
}

function drawOther(question: Question, present: Json | undefined, random: Random): Json {
  switch (question.type) {
    case "boolean":
      return present !== true;
    case "select":
      return question.options?.find(({ value }) => value !== "" && !isEqual(value, present))?.value ?? null;
    case "number":
      return typeof present === "number" ? present + 1 : generateAnswer(question, random);
    case "text":
    case "password":
      return drawOtherText(question, typeof present === "string" ? present : "", random);
  }
}

/** Of the same kind, as far as a text shows what it is. */
function drawOtherText(question: Question, present: string, random: Random): Json {
  if (present.startsWith("/")) return null;
  if (/^\d{1,15}$/.test(present)) return String(Number(present) + 1);
  if (present.includes("://")) return `${present.replace(/\/+$/, "")}/${random.hex(8)}`;
  return generateAnswer(question, random);
}
