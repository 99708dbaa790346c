/** Which question or directory a value of an app came from, so that a field the host refuses names its cause. */

import { isJsonObject, type Json, type JsonObject } from "../../json/json.ts";
import { parseTemplate } from "../../macros/parse.ts";
import type { Dictionary } from "../../script/dictionary.ts";

/** A place of `app_values` that questions decide. */
export interface ValueOrigin {
  /** Keys and indexes joined by dots, as the host writes its fields. */
  readonly field: string;
  /** Question keys, in the order used. */
  readonly questions: readonly string[];
}

/** Every place of a script's values that questions decide. */
export function listValueOrigins({ appValues }: Pick<Dictionary, "appValues">): readonly ValueOrigin[] {
  return findOrigins(appValues, "");
}

function findOrigins(value: Json, field: string): ValueOrigin[] {
  if (typeof value === "string") {
    const keys = parseTemplate(value).calls.flatMap((call) => (call.name === "QUESTION" ? [call.key] : []));
    return keys.length === 0 ? [] : [{ field, questions: [...new Set(keys)] }];
  }
  if (Array.isArray(value)) {
    // An `$IF` that yields nothing drops its item: later indexes are not the script's own then (docs/decisions.md, section 2.4).
    const moves = value.some((item: Json) => typeof item === "string" && item.startsWith("$IF("));
    return value.flatMap((item: Json, index) => findOrigins(item, moves ? field : join(field, String(index))));
  }
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => findOrigins(item, join(field, key)));
}

/** The questions behind a field: those that made it or what it lies in, else those that made a part of it. */
export function findQuestions(field: string, origins: readonly ValueOrigin[]): readonly string[] {
  const around = origins.filter((origin) => isWithin(field, origin.field));
  const found = around.length > 0 ? around : origins.filter((origin) => isWithin(origin.field, field));
  return [...new Set(found.flatMap(({ questions }) => questions))];
}

/** The declared directory a field's resolved value names or lies in, the deepest first; null where there is none. */
export function findDeclaredDirectory(
  field: string,
  appValues: JsonObject,
  directories: readonly { readonly path: string }[],
): string | null {
  const value = readField(appValues, field);
  if (typeof value !== "string") return null;
  const holding = directories.filter(({ path }) => value === path || value.startsWith(`${path}/`));
  return holding.toSorted((a, b) => b.path.length - a.path.length)[0]?.path ?? null;
}

function readField(values: Json, field: string): Json | undefined {
  let found: Json | undefined = values;
  for (const step of field.split(".")) {
    if (Array.isArray(found)) found = found[Number(step)];
    else found = isJsonObject(found) ? found[step] : undefined;
  }
  return found;
}

function isWithin(inner: string, outer: string): boolean {
  return inner === outer || inner.startsWith(`${outer}.`);
}

function join(field: string, key: string): string {
  return field === "" ? key : `${field}.${key}`;
}
