/**
 * The answer of every question of one plan: given, else recovered from the live configuration, else stored, else the
 * default with its macros resolved (docs/decisions.md, section 2.7). All faults at once, each with its key.
 */

import type { Json, JsonObject, JsonPath } from "../json/json.ts";
import { MAX_NESTING } from "../macros/names.ts";
import type { Dictionary, Question } from "../script/dictionary.ts";
import { getOwn } from "../script/parse/read-fields.ts";
import { checkAnswer, checkGivenAnswer, isUnanswered, readDefault } from "./answers.ts";
import { checkAnswers, type GivenAnswers, isMissing } from "./check-answers.ts";
import { fitDefault } from "./fit-default.ts";
import { isAsked } from "./form.ts";
import { memoize } from "./memoize.ts";
import { hasOptionMacro, resolveOptions } from "./resolve-options.ts";
import { findQuestionPlaces, readLiveValue } from "./values/live-configuration.ts";

/** Where an answer came from; `generated`: a default with a random string; `none`: not answered. */
export type AnswerSource = "given" | "live" | "stored" | "default" | "generated" | "none" | "faulty";

interface Answer {
  /** undefined: faulty, or its default can't be resolved. */
  readonly value: Json | undefined;
  readonly source: AnswerSource;
}

export interface ResolvedAnswers {
  /** The value `$QUESTION` yields: `""` where there is no answer. */
  answer(key: string): Answer;
  /** The form's offer: the answer there would be if none was given. */
  offered(key: string): Answer;
  /** Whether it was given at the install and nobody knows it now: what was made of it has to stay as it is. */
  isLost(key: string): boolean;
  /** A question as it is asked, the macros of its options resolved. */
  asked(question: Question): Question;
  /** Reports every faulty, missing and unknown answer. */
  check(): void;
}

export interface AnswerSources extends GivenAnswers {
  readonly dictionary: Dictionary;
  readonly stored: Readonly<Record<string, Json>>;
  readonly live: JsonObject | null;
  /** Resolves the macros of a default; its own `$QUESTION`s ask back. */
  readonly resolveDefault: (value: Json, path: JsonPath) => ResolvedDefault;
}

export interface ResolvedDefault {
  readonly value: Json | undefined;
  /** Whether any macro was in it. */
  readonly computed: boolean;
  /** Whether a random string went into it. */
  readonly random: boolean;
}

const NONE: Answer = { value: "", source: "none" };
const FAULTY: Answer = { value: undefined, source: "faulty" };

/** Resolves answers as they are asked for; diagnostics about answers have the path `["answers", key]`. */
export function resolveAnswers(sources: AnswerSources): ResolvedAnswers {
  return new LazyAnswers(sources);
}

interface Declared {
  readonly question: Question;
  readonly index: number;
}

class LazyAnswers implements ResolvedAnswers {
  readonly #sources: AnswerSources;
  readonly #places: ReadonlyMap<string, JsonPath>;
  readonly #questions: ReadonlyMap<string, Declared>;
  readonly #offers = new Map<string, Answer>();
  readonly #resolved = new Map<string, Answer>();
  /** Questions whose defaults are being resolved, the outermost first. */
  readonly #pending = new Set<string>();
  readonly #asked = new Map<string, Question>();
  readonly #recover = memoize((question: Question) => this.#readRecovered(question));

  constructor(sources: AnswerSources) {
    const { dictionary, live } = sources;
    this.#sources = sources;
    this.#places = live === null ? new Map() : findQuestionPlaces(dictionary.appValues);
    this.#questions = new Map(dictionary.questions.map((question, index) => [question.key, { question, index }]));
  }

  /** Checked once, however often a script uses it; while defaults are open the answer may depend on who asks. */
  answer(key: string): Answer {
    const known = this.#resolved.get(key);
    if (known !== undefined) return known;
    const found = this.#resolve(key);
    const isFixed = this.#pending.size === 0 || !isUnanswered(getOwn(this.#sources.given, key));
    if (isFixed) this.#resolved.set(key, found);
    return found;
  }

  offered(key: string): Answer {
    const known = this.#offers.get(key);
    if (known !== undefined) return known;
    const declared = this.#questions.get(key);
    if (declared === undefined) return FAULTY;
    const path = toDefaultPath(declared.index);
    if (this.#pending.has(key)) {
      const message = `the default of the question "${key}" needs its own answer`;
      this.#sources.report({ code: "MACRO_CYCLE", severity: "error", message, path });
      return FAULTY;
    }
    if (this.#pending.size >= MAX_NESTING) {
      const message = `the default of the question "${key}" is needed by more than ${MAX_NESTING} others in a row`;
      this.#sources.report({ code: "MACRO_NESTING", severity: "error", message, path });
      return FAULTY;
    }
    this.#pending.add(key);
    const offer = this.#recover(declared.question) ?? this.#resolveFallback(declared);
    this.#pending.delete(key);
    this.#offers.set(key, offer);
    return offer;
  }

  isLost(key: string): boolean {
    const { live, mode } = this.#sources;
    const question = this.#questions.get(key)?.question;
    if (question === undefined || live === null || mode !== "options") return false;
    return !isAsked(question, mode) && this.#recover(question) === null;
  }

  asked(question: Question): Question {
    const { key } = question;
    const known = this.#asked.get(key);
    if (known !== undefined || !hasOptionMacro(question)) return known ?? question;
    const pending = JSON.stringify([key, "options"]);
    if (this.#pending.has(pending)) {
      const message = `an option of the question "${key}" needs its own answer`;
      const path = ["installation_questions", this.#questions.get(key)?.index ?? 0, "options"];
      this.#sources.report({ code: "MACRO_CYCLE", severity: "error", message, path });
      return { ...question, options: [] };
    }
    this.#pending.add(pending);
    const { resolveDefault } = this.#sources;
    const asked = resolveOptions(
      question,
      (value, at) => resolveDefault(value, ["installation_questions", key, "options", at, "value"]).value,
    );
    this.#pending.delete(pending);
    this.#asked.set(key, asked);
    return asked;
  }

  check(): void {
    const questions = [...this.#questions.values()].map(({ question }) => this.asked(question));
    checkAnswers(this.#sources, questions, (key) => this.offered(key).value);
  }

  #readRecovered(declared: Question): Answer | null {
    const question = this.asked(declared);
    const { dictionary, live, stored } = this.#sources;
    const place = this.#places.get(question.key);
    const value = live === null || place === undefined ? undefined : readLiveValue(dictionary.appValues, live, place);
    if (!isUnanswered(value) && checkAnswer(question, value) === null) return { value, source: "live" };
    const kept = getOwn(stored, question.key);
    return !isUnanswered(kept) && checkAnswer(question, kept) === null ? { value: kept, source: "stored" } : null;
  }

  #resolveFallback({ question: declaration, index }: Declared): Answer {
    const { resolveDefault, report } = this.#sources;
    const question = this.asked(declaration);
    const declared = readDefault(question);
    if (isUnanswered(declared)) return NONE;
    const resolved = resolveDefault(declared, ["installation_questions", question.key, "default"]);
    if (resolved.value === undefined) return FAULTY;
    const value =
      resolved.computed || typeof resolved.value !== "object" ? fitDefault(question, resolved.value) : resolved.value;
    const fault = resolved.computed ? checkAnswer({ ...question, required: false }, value) : null;
    if (fault === null) return { value, source: resolved.random ? "generated" : "default" };
    report({ code: fault.code, severity: "error", message: fault.message, path: toDefaultPath(index) });
    return FAULTY;
  }

  #resolve(key: string): Answer {
    const { given, mode } = this.#sources;
    const declared = this.#questions.get(key);
    const value = getOwn(given, key);
    if (declared === undefined) return FAULTY;
    if (!isUnanswered(value))
      return checkGivenAnswer(this.asked(declared.question), value) === null ? { value, source: "given" } : FAULTY;
    const offer = this.offered(key);
    // An upgrade makes nothing of an answer nobody gave: what it decides is left alone.
    const counts = mode === "upgrade" || isAsked(declared.question, mode);
    const missing = counts && isMissing(declared.question, offer.value);
    return missing ? FAULTY : offer;
  }
}

function toDefaultPath(index: number): JsonPath {
  return ["installation_questions", index, "default"];
}
