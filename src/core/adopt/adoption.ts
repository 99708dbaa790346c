/** What an app that was installed by other means can be taken over with: its answers, recovered or given. */
import type { Problem } from "../codes/problems.ts";
import { isEqual } from "../json/is-equal.ts";
import type { Json, JsonObject } from "../json/json.ts";
import { parseTemplate } from "../macros/parse.ts";
import { isUnanswered, readDefault } from "../plan/answers.ts";
import { checkAnswers } from "../plan/check-answers.ts";
import type { HostFacts } from "../plan/host-facts.ts";
import { resolveHostOptions } from "../plan/resolve-options.ts";
import type { Diagnostic } from "../rules/diagnostic.ts";
import type { Dictionary } from "../script/dictionary.ts";
import { getOwn } from "../script/parse/read-fields.ts";
import { recoverAnswers, type UnknownReason } from "./recover-answers.ts";
import { type RecoveredRandoms, recoverRandoms } from "./recover-randoms.ts";

type Answers = Readonly<Record<string, Json>>;

export interface Adoption extends RecoveredRandoms {
  /** Recovered from the configuration. Hold secrets. */
  readonly recovered: Answers;
  /** Given for questions whose answers can't be. Hold secrets. */
  readonly given: Answers;
  /** Neither recovered nor given, by question key. */
  readonly unknown: ReadonlyMap<string, UnknownReason>;
  /** What the given answers are refused for, with the path `["answers", key]`. */
  readonly faults: readonly Diagnostic[];
}

/** What is known beside the configuration. */
export interface KnownBeside {
  /** Generated strings, by place: they count where they stand in the configuration. Secrets. */
  readonly randoms?: RecoveredRandoms["randoms"];
  /** Keys of questions whose recovered answers lead a directory out of its location, which nobody goes by. */
  readonly outside?: readonly string[];
}

/**
 * Recovers what can be, and takes the given answers for what can't; a required one without a default has to be given.
 */
export function planAdoption(
  dictionary: Dictionary,
  live: JsonObject,
  facts: HostFacts,
  given: Answers,
  { outside = [], randoms = {} }: KnownBeside = {},
): Adoption {
  const questions = resolveHostOptions(dictionary.questions, facts);
  const found = recoverAnswers({ ...dictionary, questions }, live, facts);
  const recovered = Object.fromEntries(Object.entries(found.answers).filter(([key]) => !outside.includes(key)));
  const left = outside.filter((key) => Object.hasOwn(found.answers, key)).map((key) => [key, "outside"] as const);
  const unknown = new Map<string, UnknownReason>([...found.unknown, ...left]);
  const faults: Diagnostic[] = [];
  checkAnswers(
    { mode: "custom", given, report: (fault) => void faults.push(fault) },
    questions,
    // What was asked before the first boot only, nobody may know any more.
    (key) => (unknown.has(key) && isNeeded(dictionary, key) ? "" : undefined),
  );
  for (const [key, value] of Object.entries(recovered)) {
    const other = getOwn(given, key);
    if (!isUnanswered(other) && !isEqual(other, value)) faults.push(createOtherFault(key));
  }
  const taken = Object.entries(given).filter(([key, value]) => unknown.has(key) && !isUnanswered(value));
  return {
    recovered,
    given: Object.fromEntries(taken),
    unknown: new Map([...unknown].filter(([key]) => !taken.some(([one]) => one === key))),
    faults,
    ...recoverRandoms(dictionary, live, randoms),
  };
}

/** The questions whose answers lead directories out of their locations, as the problems of a plan tell. */
export function findOutside(
  { directories }: Dictionary,
  problems: readonly Pick<Problem, "code" | "path">[],
): readonly string[] {
  return problems.flatMap(({ code, path: [area, step] }) => {
    if (code !== "DIRECTORY_OUTSIDE") return [];
    if (area === "answers") return [String(step)];
    const written = directories[Number(step)]?.path;
    return written === undefined ? [] : listQuestions(written);
  });
}

/** What is wrong with a given answer that leads a directory out of its location. */
export function createOutsideFault(key: string): Diagnostic {
  const message = `the answer to "${key}" leads a directory out of its location`;
  return { code: "DIRECTORY_OUTSIDE", severity: "error", message, path: ["answers", key] };
}

function isNeeded({ questions }: Dictionary, key: string): boolean {
  const question = questions.find((one) => one.key === key);
  return question !== undefined && !question.installonly && isUnanswered(readDefault(question));
}

function createOtherFault(key: string): Diagnostic {
  const message = `the app runs with another answer to "${key}": adopt it as it is, then update it`;
  return { code: "ANSWER_NOT_TAKEN", severity: "error", message, path: ["answers", key] };
}

function listQuestions(written: string): readonly string[] {
  return parseTemplate(written).calls.flatMap((call) => (call.name === "QUESTION" ? [call.key] : []));
}
