import type { JsonObject, JsonPath } from "../json/json.ts";
import { parseTemplate } from "../macros/parse.ts";
import { listMacroStrings } from "../macros/places.ts";
import { RandomStrings } from "../plan/random-strings.ts";
import type { Dictionary } from "../script/dictionary.ts";

export interface RecoveredRandoms {
  /** As a plan keeps them, by place. Secrets. */
  readonly randoms: Readonly<Record<string, string>>;
  /** Places of `app_values` whose generated strings can't be told from what the app has there. */
  readonly lost: readonly JsonPath[];
}

/** The generated strings an installed app runs with, as an update would find them; none is made anew. */
export function recoverRandoms({ appValues }: Pick<Dictionary, "appValues">, live: JsonObject): RecoveredRandoms {
  const strings = new RandomStrings({ appValues, kept: {}, live, random: () => "" });
  const lost: JsonPath[] = [];
  for (const { text, path, key } of listMacroStrings(appValues, [])) {
    const calls = key ? [] : parseTemplate(text).calls.filter(({ name }) => name === "RANDOM_STRING");
    const found = calls.map((_, ordinal) => strings.at(["app_values", ...path], ordinal, 0));
    if (found.includes("")) lost.push(path);
  }
  const randoms = Object.entries(strings.kept()).filter(([, text]) => text !== "");
  return { randoms: Object.fromEntries(randoms), lost };
}
