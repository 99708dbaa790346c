/** What became of texts an app had been set up with, after its script changed. Pure. */
import { isJsonObject, type Json, type JsonObject, type JsonPath } from "../../core/json/json.ts";
import { pickValues } from "../../core/plan/values/merge-values.ts";

/** Shorter ones may stand in a text by chance. */
const LEAST_IN_TEXT = 8;

/** Values of an app before and after, and the script they were changed by. */
export interface Change {
  readonly before: JsonObject;
  readonly after: JsonObject;
  /** `app_values` of the script, macros unresolved. */
  readonly script: JsonObject;
}

/**
 * The fate of a text: `used` by the new script somewhere, `replaced` at its place, or `left`: the new script does not have
 * its place, where the app still holds it. `path` is where it stood; null where it stood nowhere.
 */
export function findFate(
  text: string,
  { before, after, script }: Change,
): { readonly fate: "used" | "replaced" | "left"; readonly path: JsonPath } | null {
  const [place] = findTexts(before, (value) => holds(value, text));
  if (place === undefined) return null;
  if (findTexts(pickValues(script, after), (value) => holds(value, text)).length > 0)
    return { fate: "used", path: place };
  const isLeft = findTexts(after, (value) => holds(value, text)).length > 0;
  return { fate: isLeft ? "left" : "replaced", path: place };
}

/** Where one of these texts stands in values the new script has. */
export function findFresh(texts: readonly string[], { after, script }: Omit<Change, "before">): JsonPath | null {
  const [place] = findTexts(pickValues(script, after), (value) => texts.some((text) => holds(value, text)));
  return place ?? null;
}

/** A place of `app_values` as people write it. */
export function namePlace(path: JsonPath): string {
  return path.join(".");
}

function holds(value: string, text: string): boolean {
  return text.length < LEAST_IN_TEXT ? value === text : value.includes(text);
}

function findTexts(value: Json, fits: (text: string) => boolean, path: JsonPath = []): readonly JsonPath[] {
  if (typeof value === "string") return fits(value) ? [path] : [];
  if (Array.isArray(value)) return value.flatMap((item: Json, index) => findTexts(item, fits, [...path, index]));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    item === undefined ? [] : findTexts(item, fits, [...path, key]),
  );
}
