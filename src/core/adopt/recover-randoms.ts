import type { Json, JsonObject, JsonPath } from "../json/json.ts";
import { parseTemplate } from "../macros/parse.ts";
import { listMacroStrings } from "../macros/places.ts";
import { RandomStrings, toPlaceKey } from "../plan/random-strings.ts";
import { readLiveValue } from "../plan/values/live-configuration.ts";
import type { Dictionary } from "../script/dictionary.ts";

export interface RecoveredRandoms {
  /** As a plan keeps them, by place. Secrets. */
  readonly randoms: Readonly<Record<string, string>>;
  /** Places of `app_values` whose generated strings can't be told from what the app has there. */
  readonly lost: readonly JsonPath[];
}

/**
 * The generated strings an installed app runs with, as an update would find them; none is made anew. Where its configuration
 * alone does not tell, those `known` of it count, where all of them stand in the app's text.
 */
export function recoverRandoms(
  { appValues }: Pick<Dictionary, "appValues">,
  live: JsonObject,
  known: RecoveredRandoms["randoms"] = {},
): RecoveredRandoms {
  const strings = new RandomStrings({ appValues, kept: {}, live, random: () => "" });
  const randoms: Record<string, string> = {};
  const lost: JsonPath[] = [];
  for (const { text, path, key } of listMacroStrings(appValues, [])) {
    const calls = key ? [] : parseTemplate(text).calls.filter(({ name }) => name === "RANDOM_STRING");
    const place = ["app_values", ...path];
    const found = calls.map((_, ordinal) => strings.at(place, ordinal, 0));
    const keys = calls.map((_, ordinal) => toPlaceKey(place, ordinal));
    const taken = found.includes("") ? pickStanding(keys, known, readLiveValue(appValues, live, path)) : found;
    if (taken === null) lost.push(path);
    else for (const [at, one] of keys.entries()) randoms[one] = taken[at] ?? "";
  }
  return { randoms, lost };
}

/** The strings known by these keys; null where one is not known, or does not stand in what the app has there. */
function pickStanding(
  keys: readonly string[],
  known: RecoveredRandoms["randoms"],
  live: Json | undefined,
): readonly string[] | null {
  const found = keys.map((key) => known[key] ?? "");
  return typeof live === "string" && found.every((one) => one !== "" && live.includes(one)) ? found : null;
}
