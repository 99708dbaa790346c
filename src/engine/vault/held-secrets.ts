import type { Json } from "../../core/json/json.ts";
import { listTexts } from "../../core/json/list-texts.ts";

/** The secrets that stand in some text of a value: the others are of no concern to who has it. */
export function listHeldSecrets(secrets: readonly string[], value: Json): readonly string[] {
  const texts = listTexts(value);
  return secrets.filter((secret) => texts.some((text) => text.includes(secret)));
}
