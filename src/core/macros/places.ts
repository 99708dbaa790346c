/** The strings of a script macros are replaced in (decisions.md 2.1): never those of hooks or widgets. */
import { isJsonObject, type Json, type JsonObject, type JsonPath } from "../json.ts";
import { listAt, own } from "../parse-dictionary-read.ts";

export interface MacroPlace {
  readonly path: JsonPath;
  readonly text: string;
  /** A key of an object: macros in it are left alone. */
  readonly key?: true;
}

/** Every string macros count in, in the order of the script. */
export function* macroPlaces(script: JsonObject): Generator<MacroPlace> {
  for (const [index, question] of listAt(script, "installation_questions").entries()) {
    const fallback = isJsonObject(question) ? own(question, "default") : undefined;
    if (fallback !== undefined) yield* stringsIn(fallback, ["installation_questions", index, "default"]);
  }
  for (const [index, entry] of listAt(script, "ensure_directories_exists").entries()) {
    const path = isJsonObject(entry) ? own(entry, "path") : undefined;
    if (typeof path === "string") yield { path: ["ensure_directories_exists", index, "path"], text: path };
  }
  const values = own(script, "app_values");
  if (values !== undefined) yield* stringsIn(values, ["app_values"]);
}

/** Strings and keys of a value; a document is at most 200 levels deep (`json-source.ts`), so this may recurse. */
export function* stringsIn(value: Json, path: JsonPath): Generator<MacroPlace> {
  if (typeof value === "string") yield { path, text: value };
  else if (isJsonObject(value)) {
    for (const [key, member] of Object.entries(value)) {
      const at = [...path, key];
      yield { path: at, text: key, key: true };
      yield* stringsIn(member, at);
    }
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* stringsIn(item, [...path, index]);
  }
}
