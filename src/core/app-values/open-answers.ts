/** Stand-ins for answers nobody has given yet: marks that are recognised wherever macros carry them. */
import type { Json } from "../json/json.ts";
import type { OpenAnswers } from "./judge-context.ts";

/** Marks of texts are private-use characters around an index; those of numbers are above any bound of a real question. */
const MARK = /\uE000(\d+)\uE001/g;
const FIRST_NUMBER = 7_919_000_000_000;
/** Put in place of a mark to judge the form of the text around it. */
const EXAMPLE = "answer";

/** The mark of a question's answer, for questions of texts or of numbers. */
export function markAnswer(index: number, type: "text" | "number"): Json {
  return type === "number" ? FIRST_NUMBER + index : `\uE000${index}\uE001`;
}

/** Recognises marks in values; `keys` are the keys of the questions, by index. */
export function findOpenAnswers(keys: readonly string[], value: Json): OpenAnswers | null {
  if (typeof value === "number") {
    const key = keys[value - FIRST_NUMBER];
    return key === undefined ? null : { keys: [key], whole: true, example: 1 };
  }
  if (typeof value !== "string" || !value.includes("\uE000")) return null;
  const marks = [...value.matchAll(MARK)];
  if (marks.length === 0) return null;
  const found = marks.flatMap(([, index]) => keys[Number(index)] ?? []);
  return { keys: [...new Set(found)], whole: marks[0]?.[0] === value, example: value.replace(MARK, EXAMPLE) };
}
