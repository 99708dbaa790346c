import { isJsonArray, type Json } from "../../core/json/json.ts";

/**
 * Parses the host's extended JSON into plain JSON: a datetime becomes UTC ms, a set an array, a time `HH:MM:SS`, a date
 * `YYYY-MM-DD` (docs/host-api.md, section 2). Throws `SyntaxError` on text that is not JSON.
 */
export function parseExtendedJson(text: string): Json {
  // The marks are rare: without one in the text, the answer of `app.query` need not be walked.
  const parsed: Json = JSON.parse(text);
  return text.includes('"$') ? toPlain(parsed) : parsed;
}

function toPlain(value: Json): Json {
  if (value === null || typeof value !== "object") return value;
  if (isJsonArray(value)) return value.map(toPlain);
  const entries = Object.entries(value);
  const [first, second] = entries;
  if (first === undefined) return value;
  if (entries.length === 1) {
    const [mark, content] = first;
    if (mark === "$date" && typeof content === "number") return content;
    if (mark === "$time" && typeof content === "string") return content;
    if (mark === "$set" && isJsonArray(content)) return content.map(toPlain);
  }
  if (entries.length === 2 && first[0] === "$type" && first[1] === "date" && second?.[0] === "$value") return second[1];
  return Object.fromEntries(entries.map(([key, item]) => [key, toPlain(item)]));
}
