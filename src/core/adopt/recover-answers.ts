/**
 * Finding again, in the configuration of an app that was installed by other means, what its script's questions would have to
 * be answered with for the app to be as it is. An answer is found for certain, or not at all.
 */
import type { Json, JsonObject } from "../json/json.ts";
import { checkGivenAnswer, isUnanswered } from "../plan/answers.ts";
import type { HostFacts } from "../plan/host-facts.ts";
import { holdsValues } from "../plan/values/merge-values.ts";
import type { Dictionary, Question } from "../script/dictionary.ts";
import { createEvaluate, type Evaluate, type LivePlace, listLivePlaces } from "./live-places.ts";
import { countMarkers, MARKER, readThrough } from "./read-through.ts";

/**
 * Why an answer is not known: nothing of it is in the configuration, no answer makes what is there, several do, or a directory
 * it names lies outside its location.
 */
export type UnknownReason = "absent" | "unfit" | "ambiguous" | "outside";

export interface RecoveredAnswers {
  /** By question key; none of a question that was left unanswered. Holds secrets. */
  readonly answers: Readonly<Record<string, Json>>;
  /** By question key. */
  readonly unknown: ReadonlyMap<string, UnknownReason>;
}

/** What `$QUESTION` yields where there is no answer. */
const UNANSWERED = "";

/** Recovers every answer that can be; each place is held against the facts of the host as they are now. */
export function recoverAnswers(
  dictionary: Pick<Dictionary, "questions" | "appValues">,
  live: JsonObject,
  facts: HostFacts,
): RecoveredAnswers {
  const places = listLivePlaces(dictionary, live);
  const evaluate = createEvaluate(facts);
  const found = new Map<string, Json>();
  const unknown = new Map<string, UnknownReason>();
  let open = dictionary.questions;
  // What one answer shares a place with can be told once that one is known.
  for (let left = Number.POSITIVE_INFINITY; open.length < left; ) {
    left = open.length;
    open = open.filter((question) => {
      const result = recoverAnswer(question, places, found, evaluate);
      if ("reason" in result) unknown.set(question.key, result.reason);
      else found.set(question.key, result.value);
      return "reason" in result;
    });
  }
  const answered = dictionary.questions.filter((question) => isAnswered(question, found.get(question.key)));
  return {
    answers: Object.fromEntries(answered.map(({ key }) => [key, found.get(key) ?? null])),
    unknown: new Map([...unknown].filter(([key]) => !found.has(key))),
  };
}

type Result = { readonly value: Json } | { readonly reason: UnknownReason };

function recoverAnswer(
  question: Question,
  all: readonly LivePlace[],
  found: ReadonlyMap<string, Json>,
  evaluate: Evaluate,
): Result {
  const { key } = question;
  const told = all.filter(({ questions, live }) => live !== undefined && questions.includes(key));
  const places = told.filter(({ questions }) => questions.every((one) => one === key || found.has(one)));
  // As an update reads it (docs/decisions.md, section 2.7); what the other places hold is a difference then.
  const alone = places.find(({ isAlone }) => isAlone)?.live;
  if (alone !== undefined) return canBe(question, alone) ? { value: alone } : { reason: "unfit" };
  const answerWith = (value: Json) => (one: string) => (one === key ? value : found.get(one));
  const fits = (value: Json) =>
    canBe(question, value) &&
    places.every((place) => {
      const made = evaluate(place, answerWith(value));
      return made !== undefined && holdsValues(place.live, made);
    });
  const [first, ...others] = listCandidates(question, places, (place, ask) =>
    evaluate(place, (one) => (one === key ? ask() : found.get(one))),
  ).filter(fits);
  if (first === undefined) {
    const reason = told.length === 0 ? "absent" : places.length === 0 ? "ambiguous" : "unfit";
    return { reason };
  }
  return others.length === 0 ? { value: first } : { reason: "ambiguous" };
}

/** Every answer that may have made what is there; the others could not. */
function listCandidates(
  { type, options = [] }: Question,
  places: readonly LivePlace[],
  evaluate: (place: LivePlace, ask: () => Json) => Json | undefined,
): readonly Json[] {
  if (places.length === 0) return [];
  if (type === "boolean") return [true, false, UNANSWERED];
  if (type === "select") return listDistinct([...options.map(({ value }) => value), UNANSWERED]);
  const read = places.flatMap((place) => {
    let asked = 0;
    const made = evaluate(place, () => {
      asked += 1;
      return MARKER;
    });
    // Asked more than once, it may decide what is there as well: other answers could make the same.
    const value =
      made !== undefined && asked === 1 && countMarkers(made) === 1 ? readThrough(made, place.live) : undefined;
    return value === undefined ? [] : [value];
  });
  return listDistinct(type === "number" ? read.map(toNumber) : read);
}

function toNumber(value: Json): Json {
  return typeof value === "string" && value.trim() !== "" ? Number(value) : value;
}

function listDistinct(values: readonly Json[]): readonly Json[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}

/** Whether a question may have this answer, or may have been left without one. */
function canBe(question: Question, value: Json): boolean {
  if (isAnswered(question, value)) return checkGivenAnswer(question, value) === null;
  return !question.required && isUnanswered(question.default);
}

/** An empty text is an answer of a question for text alone. */
function isAnswered({ type }: Question, value: Json | undefined): boolean {
  return value !== undefined && (value !== UNANSWERED || type === "text" || type === "password");
}
