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
  for (const text of findTexts(script, SCRIPT, [], deceives)) {
    if (found.length === most) break;
    found.push(text);
  }
  return found;
}

/** The script with the texts people read as they are shown; itself where there is nothing to change. */
export function cleanShownTexts(script: JsonObject): JsonObject {
  const isClean = findTexts(script, SCRIPT, [], (text, kind) => clean(text, kind) !== text).next().done === true;
  return isClean ? script : cleanMembers(script, SCRIPT);
}

type Looks = (text: string, kind: "line" | "lines") => boolean;

/** Whether more of a text than its line ends and tabs is changed before it is shown. */
function deceives(text: string, kind: "line" | "lines"): boolean {
  return clean(text, kind) !== plainEnds(text, kind);
}

function* findTexts(value: Json, shown: Shown, path: JsonPath, looks: Looks): Generator<DeceivingText> {
  if (isKind(shown)) {
    if (typeof value === "string" && looks(value, shown)) {
      yield { path, written: value, isLine: shown === "line" };
    }
  } else if (isEach(shown)) {
    if (!Array.isArray(value)) return;
    for (const [index, item] of value.entries()) yield* findTexts(item, shown[0], [...path, index], looks);
  } else if (isJsonObject(value)) {
    for (const [key, below] of Object.entries(shown)) {
      const member = Object.hasOwn(value, key) ? value[key] : undefined;
      if (member !== undefined) yield* findTexts(member, below, [...path, key], looks);
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

/** A text with the line ends and tabs of any system as they are shown: they deceive nobody. */
export function plainEnds(text: string, kind: "line" | "lines"): string {
  return kind === "line" ? text.replace(/\r\n|[\t\n\r]/g, " ") : text.replace(/\r\n?/g, "\n");
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
