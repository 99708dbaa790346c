/** Answers as a person gives them, and as a request carries them. */
import type { FormStep, InstallRequest, Json, Problem, Question } from "../../../api/types.ts";

/** What a person gave so far, by question key: a number as it was typed, everything else as it is sent. */
export type Answers = NonNullable<InstallRequest["answers"]>;

/** A number as people write one. */
const DECIMAL = /^[-+]?\d+(?:[.,]\d+)?$/;

/** A generated text is as long as the one it takes the place of; of these characters, as the engine's own. */
const CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** All questions of a dialog, in order. */
export function listQuestions(steps: readonly FormStep[]): readonly Question[] {
  return steps.flatMap(({ sections }) => sections.flatMap(({ questions }) => questions));
}

/** The value a field shows: what was given, else what is offered. */
export function readShown(question: Question, answers: Answers): Json | undefined {
  return Object.hasOwn(answers, question.key) ? answers[question.key] : question.default;
}

/** Answers with one more, or without one where the value is undefined: then the engine's default counts again. */
export function setAnswer(answers: Answers, key: string, value: Json | undefined): Answers {
  const { [key]: _, ...others } = answers;
  return value === undefined ? others : { ...others, [key]: value };
}

/**
 * The answers to send: those given to questions that are asked, numbers as numbers. What is no number is sent as it was
 * typed, for the engine to refuse; a number that was emptied is not answered.
 */
export function toRequestAnswers(questions: readonly Question[], answers: Answers): Answers {
  const given = questions.flatMap(({ key, type }): readonly (readonly [string, Json])[] => {
    const value = answers[key];
    if (!Object.hasOwn(answers, key) || value === undefined) return [];
    if (type !== "number" || typeof value !== "string") return [[key, value]];
    const text = value.trim();
    if (text === "") return [];
    return [[key, DECIMAL.test(text) ? Number(text.replace(",", ".")) : value]];
  });
  return Object.fromEntries(given);
}

/** The problems of each question by its key; `at` is where its answers stand in the request. */
export function placeProblems(
  problems: readonly Problem[],
  at: "answers" | { readonly target: string } = "answers",
): ReadonlyMap<string, readonly Problem[]> {
  const placed = problems.flatMap((problem): readonly (readonly [string, Problem])[] => {
    const key = at === "answers" ? readKey(problem.path) : readTargetKey(problem.path, at.target);
    return key === null ? [] : [[key, problem]];
  });
  const groups = Map.groupBy(placed, ([key]) => key);
  return new Map([...groups].map(([key, members]) => [key, members.map(([, problem]) => problem)]));
}

/** Whether a problem is about an answer, of the app itself or of a target. */
export function isAboutAnswer(problem: Problem): boolean {
  return readKey(problem.path) !== null || isAboutTarget(problem);
}

/** Whether it is about an answer of a target. */
export function isAboutTarget({ path }: Problem): boolean {
  return path[2] === "install" && path[4] === "answers";
}

/** A new random text as long as another; `random` gives so many random numbers of 32 bits. */
export function regenerate(text: string, random: (count: number) => Uint32Array): string {
  // 32 bits by 62 characters: none is likelier than another by more than 1 in 69 million.
  return [...random(text.length)].map((number) => CHARACTERS[number % CHARACTERS.length]).join("");
}

function readKey([part, key]: Problem["path"]): string | null {
  return part === "answers" && typeof key === "string" ? key : null;
}

/** `["links", at, "install", target, "answers", key]` */
function readTargetKey([part, , install, app, answers, key]: Problem["path"], target: string): string | null {
  const isOfTarget = part === "links" && install === "install" && app === target && answers === "answers";
  return isOfTarget && typeof key === "string" ? key : null;
}
