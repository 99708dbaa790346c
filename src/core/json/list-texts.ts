import type { Json } from "./json.ts";

/** Lists every text of a value, keys left out. */
export function listTexts(value: Json): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(listTexts);
}
