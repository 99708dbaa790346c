/**
 * Narrowing reads of a script's raw JSON. The rules have refused before what would make a fallback count,
 * or warned about it; a read itself never throws and never complains.
 */
import { isJsonArray, isJsonObject, type Json, type JsonObject } from "../../json/json.ts";

/** The text of a key, if it is one. */
export function readText(object: JsonObject, key: string): string | undefined {
  const value = getOwn(object, key);
  return typeof value === "string" ? value : undefined;
}

/** The finite number of a key, if it is one. */
export function readNumber(object: JsonObject, key: string): number | undefined {
  const value = getOwn(object, key);
  return typeof value === "number" ? value : undefined;
}

/** Whether a key holds `true`. */
export function isTrueAt(object: JsonObject, key: string): boolean {
  return getOwn(object, key) === true;
}

/** The object of a key, if it is one. */
export function readObject(object: JsonObject, key: string): JsonObject | undefined {
  const value = getOwn(object, key);
  return isJsonObject(value) ? value : undefined;
}

/** The array of a key, else empty. */
export function readList(object: JsonObject, key: string): readonly Json[] {
  const value = getOwn(object, key);
  return isJsonArray(value) ? value : [];
}

/** The texts in the array of a key, each once, in order. */
export function readTexts(object: JsonObject, key: string): readonly string[] {
  return [...new Set(readList(object, key).filter((item) => typeof item === "string"))];
}

/** The objects in the array of a key, in order. */
export function readObjects(object: JsonObject, key: string): readonly JsonObject[] {
  return readList(object, key).filter(isJsonObject);
}

/** The member of a closed set a text names, if it does. */
export function matchMember<Member extends string>(
  set: readonly Member[],
  text: string | undefined,
): Member | undefined {
  return set.find((member) => member === text);
}

/** The value of a key of the object itself: a script may name a key `constructor`. */
export function getOwn(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** The members that are there: a member with `undefined` does not fit an optional one. */
export function dropUndefined<Members extends object>(members: Members): Present<Members>;
export function dropUndefined(members: Record<string, unknown>): object {
  const kept: Record<string, unknown> = {};
  for (const key in members) if (members[key] !== undefined) kept[key] = members[key];
  return kept;
}

type Present<Members> = {
  [Key in keyof Members as undefined extends Members[Key] ? never : Key]: Members[Key];
} & { [Key in keyof Members as undefined extends Members[Key] ? Key : never]?: Exclude<Members[Key], undefined> };
