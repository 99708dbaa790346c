/** The texts of an install script that people read, and what they are freed of before anybody does. */
import { isJsonObject, type Json, type JsonObject, type JsonPath } from "../json/json.ts";
import { toPlainLine, toPlainLines } from "../report/plain-words.ts";

/** Of one line, of several, or where below a value such texts stand: in each of a list, or in members. */
type Shown = "line" | "lines" | readonly [Shown] | { readonly [key: string]: Shown };

const QUESTION = {
  question: "line",
  description: "lines",
  placeholder: "line",
  options: [{ text: "line" }],
  group: "line",
} as const satisfies Shown;

/** Fields of all versions: what a version does not have is not read. */
const SCRIPT = {
  metadata: { name: "line", description: "lines" },
  script: { changeLog: "lines" },
  installation_questions: [QUESTION],
  hooks: [
    {
      title: "line",
      description: "lines",
      userOptional: { label: "line", description: "lines", link: { label: "line" } },
      inputs: [{ name: "line", description: "lines", provider: "line", question: QUESTION }],
    },
  ],
  widgets: [{ title: "line", description: "lines" }],
} as const satisfies Shown;

/** A text that holds what deceives a reader. */
export interface DeceivingText {
  readonly path: JsonPath;
  readonly written: string;
  readonly isLine: boolean;
}

/** The texts people read that hold what deceives them, in the order of the fields above; `most` of them. */
export function listDeceivingTexts(script: JsonObject, most: number): readonly DeceivingText[] {
  const found: DeceivingText[] = [];
  for (const text of findDeceiving(script, SCRIPT, [])) {
    if (found.length === most) break;
    found.push(text);
  }
  return found;
}

/** The script with the texts people read freed of what deceives them; itself where there is nothing. */
export function cleanShownTexts(script: JsonObject): JsonObject {
  return listDeceivingTexts(script, 1).length === 0 ? script : cleanMembers(script, SCRIPT);
}

function* findDeceiving(value: Json, shown: Shown, path: JsonPath): Generator<DeceivingText> {
  if (isKind(shown)) {
    if (typeof value === "string" && clean(value, shown) !== value.replaceAll("\r\n", "\n")) {
      yield { path, written: value, isLine: shown === "line" };
    }
  } else if (isEach(shown)) {
    if (!Array.isArray(value)) return;
    for (const [index, item] of value.entries()) yield* findDeceiving(item, shown[0], [...path, index]);
  } else if (isJsonObject(value)) {
    for (const [key, below] of Object.entries(shown)) {
      const member = Object.hasOwn(value, key) ? value[key] : undefined;
      if (member !== undefined) yield* findDeceiving(member, below, [...path, key]);
    }
  }
}

function cleanBelow(value: Json, shown: Shown): Json {
  if (isKind(shown)) return typeof value === "string" ? clean(value, shown) : value;
  if (isEach(shown)) return Array.isArray(value) ? value.map((item: Json) => cleanBelow(item, shown[0])) : value;
  return isJsonObject(value) ? cleanMembers(value, shown) : value;
}

function cleanMembers(object: JsonObject, shown: Readonly<Record<string, Shown>>): JsonObject {
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => {
      const below = Object.hasOwn(shown, key) ? shown[key] : undefined;
      return [key, below === undefined ? value : cleanBelow(value, below)];
    }),
  );
}

function clean(text: string, kind: "line" | "lines"): string {
  return kind === "line" ? toPlainLine(text) : toPlainLines(text);
}

function isKind(shown: Shown): shown is "line" | "lines" {
  return typeof shown === "string";
}

function isEach(shown: Exclude<Shown, string>): shown is readonly [Shown] {
  return Array.isArray(shown);
}
