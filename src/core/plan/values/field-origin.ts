/** Which question or directory a value of an app came from, so that a field the host refuses names its cause. */

import { isJsonObject, type Json, type JsonObject } from "../../json/json.ts";
import { parseTemplate } from "../../macros/parse.ts";
import type { Dictionary, Question } from "../../script/dictionary.ts";

/** A place of `app_values` that questions decide. */
export interface ValueOrigin {
  /** Keys and indexes joined by dots, as the host writes its fields. */
  readonly field: string;
  /** Question keys, in the order used. */
  readonly questions: readonly string[];
  /**
   * The value is the answer of one question and nothing else, which is no password and no generated string; it lies in no
   * list, whose items move.
   */
  readonly open?: true;
}

/** Every place of a script's values that questions decide. */
export function listValueOrigins({
  appValues,
  questions,
}: Pick<Dictionary, "appValues" | "questions">): readonly ValueOrigin[] {
  return findOrigins(appValues, "", new Set(questions.filter(isOpen).map(({ key }) => key)));
}

/** A default may hand on what another question, a password maybe, was answered with. */
function isOpen({ type, default: offered = null }: Question): boolean {
  return type !== "password" && !/\$(RANDOM_STRING|QUESTION)\(/.test(JSON.stringify(offered));
}

const NONE: ReadonlySet<string> = new Set();

function findOrigins(value: Json, field: string, open: ReadonlySet<string>): ValueOrigin[] {
  if (typeof value === "string") {
    const { calls, root } = parseTemplate(value);
    const keys = calls.flatMap((call) => (call.name === "QUESTION" ? [call.key] : []));
    const [key] = keys;
    if (key === undefined) return [];
    const isAlone = calls.length === 1 && root.parts.length === 1 && typeof root.parts[0] !== "string";
    return [{ field, questions: [...new Set(keys)], ...(isAlone && open.has(key) && { open: true }) }];
  }
  if (Array.isArray(value)) {
    // An `$IF` that yields nothing drops its item: later indexes are not the script's own then (docs/decisions.md, section 2.4).
    const moves = value.some((item: Json) => typeof item === "string" && item.startsWith("$IF("));
    return value.flatMap((item: Json, index) => findOrigins(item, moves ? field : join(field, String(index)), NONE));
  }
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => findOrigins(item, join(field, key), open));
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
