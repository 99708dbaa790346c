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
  const places = new OpenPlaces(listLivePlaces(dictionary, live));
  const evaluate = createEvaluate(facts);
  const found = new Map<string, Json>();
  const unknown = new Map<string, UnknownReason>();
  const questions = new Map(dictionary.questions.map((question) => [question.key, question]));
  // In the order they are declared; what one answer shares a place with can be told once that one is known.
  const waiting = new Set(questions.keys());
  for (const key of waiting) {
    waiting.delete(key);
    const question = questions.get(key);
    if (question === undefined || found.has(key)) continue;
    const result = recoverAnswer(question, places, found, evaluate);
    if ("reason" in result) unknown.set(key, result.reason);
    else {
      found.set(key, result.value);
      for (const next of places.close(key)) waiting.add(next);
    }
  }
  const answered = dictionary.questions.filter((question) => isAnswered(question, found.get(question.key)));
  return {
    answers: Object.fromEntries(answered.map(({ key }) => [key, found.get(key) ?? null])),
    unknown: new Map([...unknown].filter(([key]) => !found.has(key))),
  };
}

/** The places an installed app has values in, each with how many of its questions are not answered yet. */
class OpenPlaces {
  readonly #byQuestion = new Map<string, LivePlace[]>();
  readonly #ready = new Map<string, LivePlace[]>();
  readonly #left = new Map<LivePlace, Set<string>>();

  constructor(places: readonly LivePlace[]) {
    for (const place of places) {
      if (place.live === undefined) continue;
      this.#left.set(place, new Set(place.questions));
      for (const key of place.questions) append(this.#byQuestion, key, place);
      const [only, ...others] = place.questions;
      if (only !== undefined && others.length === 0) append(this.#ready, only, place);
    }
  }

  /** Whether the app has anything where this answer goes. */
  isTold(key: string): boolean {
    return this.#byQuestion.has(key);
  }

  /** The places where this answer alone is not known. */
  listReady(key: string): readonly LivePlace[] {
    return this.#ready.get(key) ?? [];
  }

  /** An answer is known; the questions it was the last but one for in a place. */
  close(key: string): readonly string[] {
    return (this.#byQuestion.get(key) ?? []).flatMap((place) => {
      const left = this.#left.get(place) ?? new Set();
      left.delete(key);
      const [next] = left;
      if (next === undefined || left.size > 1) return [];
      append(this.#ready, next, place);
      return [next];
    });
  }
}

function append(lists: Map<string, LivePlace[]>, key: string, place: LivePlace): void {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  list.push(place);
}

type Result = { readonly value: Json } | { readonly reason: UnknownReason };

function recoverAnswer(
  question: Question,
  open: OpenPlaces,
  found: ReadonlyMap<string, Json>,
  evaluate: Evaluate,
): Result {
  const { key } = question;
  const isTold = open.isTold(key);
  const places = open.listReady(key);
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
    const reason = !isTold ? "absent" : places.length === 0 ? "ambiguous" : "unfit";
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
