import type { Json } from "../../core/json/json.ts";

/** The secrets that stand in some text of a value: the others are of no concern to who has it. */
export function listHeldSecrets(secrets: readonly string[], value: Json): readonly string[] {
  const texts = listTexts(value);
  return secrets.filter((secret) => texts.some((text) => text.includes(secret)));
}

/** Every text of a value, keys left out. */
export function listTexts(value: Json): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(listTexts);
}
