/** Which of the values an app was given its configuration does not have any more. */
import { isJsonArray, isJsonObject, type Json } from "../json/json.ts";
import { createMask } from "../report/mask.ts";
import { getOwn } from "../script/parse/read-fields.ts";
import type { BelievedApp } from "./drift-types.ts";

/** Longest text shown of a value, in characters. */
const SHOWN = 200;

/** A value that was changed; `field` is its keys and indexes, joined by dots. */
export interface ChangedValue {
  readonly field: string;
  readonly wanted: Json;
  readonly live: Json | undefined;
}

/**
 * The values that differ, in the order they were given. What the host has beside them, in items of lists too, is its
 * own; no value, an empty one and null are the same to it.
 */
export function* listChangedValues(wanted: Json, live: Json | undefined, field = ""): Generator<ChangedValue> {
  if (isEmpty(wanted) && isEmpty(live)) return;
  if (isJsonObject(wanted)) {
    if (!isJsonObject(live)) yield { field, wanted, live };
    else
      for (const [key, value] of Object.entries(wanted))
        yield* listChangedValues(value, getOwn(live, key), join(field, key));
  } else if (isJsonArray(wanted)) {
    if (!isJsonArray(live) || live.length !== wanted.length) yield { field, wanted, live };
    else for (const [at, item] of wanted.entries()) yield* listChangedValues(item, live[at], join(field, String(at)));
  } else if (wanted !== live) yield { field, wanted, live };
}

/** Both values as texts where a person gave the one and nothing else, and neither holds a secret. */
export function showChange(
  { origins, openQuestions, secrets }: Pick<BelievedApp, "origins" | "openQuestions" | "secrets">,
  { field, wanted, live }: ChangedValue,
): { readonly expected?: string; readonly found?: string } {
  const origin = origins?.find((one) => one.field === field);
  if (origin?.open !== true || !origin.questions.every((key) => openQuestions.has(key))) return {};
  if (
    [wanted, live].some((value) => isText(value) && secrets.some((secret) => secret !== "" && value.includes(secret)))
  )
    return {};
  const mask = createMask(secrets);
  return { ...show("expected", wanted, mask), ...show("found", live, mask) };
}

function show<Name extends string>(name: Name, value: Json | undefined, mask: (text: string) => string) {
  if (isEmpty(value) || typeof value === "object") return {};
  const text = mask(String(value));
  return { [name]: text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text };
}

function isEmpty(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === "") return true;
  if (isJsonArray(value)) return value.length === 0;
  return isJsonObject(value) && Object.values(value).every(isEmpty);
}

function isText(value: Json | undefined): value is string {
  return typeof value === "string";
}

function join(field: string, key: string): string {
  return field === "" ? key : `${field}.${key}`;
}
