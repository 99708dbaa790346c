/**
 * The strings of a script macros are replaced in (docs/decisions.md, section 2.1): of hooks only the defaults and options of
 * inputs, of widgets none.
 */
import { isJsonObject, type Json, type JsonObject, type JsonPath } from "../json/json.ts";
import { getOwn, readList, readObject } from "../script/parse/read-fields.ts";

export interface MacroPlace {
  readonly path: JsonPath;
  readonly text: string;
  /** A key of an object: macros in it are left alone. */
  readonly key?: true;
}

/** Every string macros count in that may hold one, or something like one, in the order of the script. */
export function findMacroPlaces(script: JsonObject): readonly MacroPlace[] {
  const places: MacroPlace[] = [];
  for (const [index, question] of readList(script, "installation_questions").entries()) {
    if (isJsonObject(question)) collectOfQuestion(question, ["installation_questions", index], places);
  }
  for (const [index, entry] of readList(script, "ensure_directories_exists").entries()) {
    if (!isJsonObject(entry)) continue;
    const path = getOwn(entry, "path");
    if (typeof path === "string") places.push({ path: ["ensure_directories_exists", index, "path"], text: path });
    for (const field of ["owner", "snapshot"]) {
      collect(getOwn(entry, field) ?? null, ["ensure_directories_exists", index, field], places);
    }
  }
  const values = getOwn(script, "app_values");
  if (values !== undefined) collect(values, ["app_values"], places);
  for (const [index, hook] of readList(script, "hooks").entries()) {
    for (const [at, input] of (isJsonObject(hook) ? readList(hook, "inputs") : []).entries()) {
      const question = isJsonObject(input) ? readObject(input, "question") : undefined;
      if (question !== undefined) collectOfQuestion(question, ["hooks", index, "inputs", at, "question"], places);
    }
  }
  return places;
}

/** The values of a question's options, then its default. */
function collectOfQuestion(question: JsonObject, path: JsonPath, places: MacroPlace[]): void {
  for (const [at, option] of readList(question, "options").entries()) {
    const value = isJsonObject(option) ? getOwn(option, "value") : undefined;
    if (value !== undefined) collect(value, [...path, "options", at, "value"], places);
  }
  const fallback = getOwn(question, "default");
  if (fallback !== undefined) collect(fallback, [...path, "default"], places);
}

/** The strings and keys of a value that may hold a macro, or something like one. */
export function listMacroStrings(value: Json, path: JsonPath): readonly MacroPlace[] {
  const places: MacroPlace[] = [];
  collect(value, [...path], places);
  return places;
}

/**
 * A document is at most 200 levels deep (`json-source.ts`), so this may recurse. `path` is changed in place and copied
 * only for what is collected: most strings of a script hold no macro.
 */
function collect(value: Json, path: (string | number)[], places: MacroPlace[]): void {
  if (typeof value === "string") {
    if (value.includes("$") || value.includes("(")) places.push({ path: [...path], text: value });
  } else if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      path.push(index);
      collect(value[index], path, places);
      path.pop();
    }
  } else if (isJsonObject(value)) {
    for (const key in value) {
      const member = value[key];
      if (member === undefined) continue;
      path.push(key);
      if (key.includes("$")) places.push({ path: [...path], text: key, key: true });
      collect(member, path, places);
      path.pop();
    }
  }
}
