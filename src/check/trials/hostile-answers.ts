/** Answers somebody gives who wants more than to answer, and what a script may make of them. */
import { isJsonObject, type Json, type JsonPath } from "../../core/json/json.ts";
import type { Question } from "../../core/script/dictionary.ts";
import type { AnswerSet } from "./generate-answers.ts";

/** Texts that are something else where they are read instead of kept. */
export const HOSTILE_TEXTS: readonly { readonly name: string; readonly text: string }[] = [
  { name: "macros", text: "$RANDOM_STRING(8) $LOCATION(Media) $IF(true, a, b) $SERVER_LAN_IP" },
  { name: "a path out of its folder", text: "../../../../../../etc/passwd" },
  { name: "quotes and lines", text: '"\'`\\\n\r\n\t", "admin": true, "x": "</script>' },
];

/** Harmless answers to every text, each a word of its own, and the same answers with a hostile text in its place. */
export interface HostileAnswers {
  readonly harmless: AnswerSet;
  /** With one of the hostile texts in place of every word. */
  make(text: string): AnswerSet;
  /** A text with the hostile one in place of the words. */
  put(into: string, text: string): string;
}

/** Answers to every question that takes any text, over the answers the others have; null where there is none. */
export function makeHostile(questions: readonly Question[], base: AnswerSet): HostileAnswers | null {
  const keys = questions.filter(({ type }) => type === "text" || type === "password").map(({ key }) => key);
  if (keys.length === 0) return null;
  const make = (answer: string): AnswerSet => ({ ...base, ...Object.fromEntries(keys.map((key) => [key, answer])) });
  return { harmless: make(WORD), make, put: (into, text) => into.replaceAll(WORD, () => text) };
}

/** In no script. */
const WORD = "slipwayCheckWord7f3a";

/** The first place where a value is not the harmless one with the hostile text in place of the words; null: none. */
export function findMisread(
  harmless: Json,
  hostile: Json,
  put: (into: string) => string,
  path: JsonPath,
): JsonPath | null {
  if (typeof harmless === "string") {
    const isKept =
      hostile === put(harmless) && (!isStructured(harmless) || isSameStructure(harmless, String(hostile), put));
    return isKept ? null : path;
  }
  if (Array.isArray(harmless)) {
    if (!Array.isArray(hostile) || hostile.length !== harmless.length) return path;
    return findFirst(harmless.keys(), (index) => findMisread(harmless[index], hostile[index], put, [...path, index]));
  }
  if (isJsonObject(harmless)) {
    const keys = Object.keys(harmless);
    if (!isJsonObject(hostile) || Object.keys(hostile).length !== keys.length) return path;
    return findFirst(keys, (key) => {
      const [one, other] = [harmless[key], hostile[key]];
      return one === undefined || other === undefined ? [...path, key] : findMisread(one, other, put, [...path, key]);
    });
  }
  return hostile === harmless ? null : path;
}

function findFirst<Step>(steps: Iterable<Step>, find: (step: Step) => JsonPath | null): JsonPath | null {
  for (const step of steps) {
    const found = find(step);
    if (found !== null) return found;
  }
  return null;
}

/** Whether a text is JSON with a structure, into which an answer could break. */
function isStructured(text: string): boolean {
  return text.includes(WORD) && /^\s*[[{]/.test(text) && parse(text) !== undefined;
}

function isSameStructure(harmless: string, hostile: string, put: (into: string) => string): boolean {
  const [one, other] = [parse(harmless), parse(hostile)];
  return one !== undefined && other !== undefined && findMisread(one, other, put, []) === null;
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
