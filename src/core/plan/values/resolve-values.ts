/** Macros of whole JSON values resolved, place by place; random strings generated once per place and kept. */
import {
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonArray,
  type JsonObject,
  type JsonPath,
} from "../../json/json.ts";
import { listFaults } from "../../macros/check.ts";
import { evaluate } from "../../macros/evaluate.ts";
import type { MacroScope } from "../../macros/macro-scope.ts";
import { toText } from "../../macros/macro-values.ts";
import { parseTemplate } from "../../macros/parse.ts";
import { type Call, findOnlyCall } from "../../macros/tree.ts";
import type { Diagnostic } from "../../rules/diagnostic.ts";

/** The scope a place's macros need beside the place itself. */
export interface PlaceScope extends Pick<MacroScope, "facts" | "answer" | "location"> {
  /** The random string of a place: kept where there is one, else generated. */
  readonly randomString: (path: JsonPath, ordinal: number, characters: number) => string;
  readonly report: (diagnostic: Diagnostic) => void;
  /** Whether an answer is lost: a place that needs it keeps what it holds in the installed app. */
  readonly isLost: (key: string) => boolean;
  /** The installed app's value at a place; undefined where it has none. */
  readonly liveAt: (path: JsonPath) => Json | undefined;
  /** Asked before every macro, and before every list and object: false where no more may be evaluated. */
  readonly enter: (place: Place, call: WrittenCall | null) => boolean;
  readonly leave: () => void;
  /** Told of every macro evaluated: false where its value is more than the plan may hold. */
  readonly used: (place: Place, call: WrittenCall, value: Json | undefined) => boolean;
  /** Told which branch an `$IF` takes: the first where its condition holds. */
  readonly branched: (place: Place, call: Call, holds: boolean) => void;
}

/** A macro with the text it was written as. */
export interface WrittenCall {
  readonly call: Call;
  readonly written: string;
}

/** Where a value stands in the script, and where what it resolves to does: a dropped item moves the later ones. */
export interface Place {
  readonly script: JsonPath;
  readonly resolved: JsonPath;
}

/** A place nothing has moved. */
export function toPlace(path: JsonPath): Place {
  return { script: path, resolved: path };
}

/** A resolved string. `drop`: an array item that is one `$IF` and yields `""` (docs/decisions.md, section 2.4). */
interface ResolvedText {
  readonly value: Json | undefined;
  readonly drop: boolean;
}

/** A value with its macros resolved; what can't be is null at its place. Keys are left alone. */
export function resolveValue(value: Json, place: Place, scope: PlaceScope): Json {
  if (typeof value === "string") return resolveText(value, place, scope).value ?? null;
  if (!isJsonArray(value) && !isJsonObject(value)) return value;
  if (!scope.enter(place, null)) return null;
  const resolved = isJsonArray(value) ? resolveItems(value, place, scope) : resolveMembers(value, place, scope);
  scope.leave();
  return resolved;
}

/** An object with the macros of its members resolved. */
export function resolveMembers(object: JsonObject, place: Place, scope: PlaceScope): JsonObject {
  const resolved: [string, Json][] = [];
  for (const [key, member] of Object.entries(object)) {
    resolved.push([key, isPlain(member) ? member : resolveValue(member, stepInto(place, key, key), scope)]);
  }
  // fromEntries defines members: a key "__proto__" stays a key.
  return Object.fromEntries(resolved);
}

/** Whether no macro can be in it: most values, which need no place of their own. */
function isPlain(value: Json): boolean {
  return typeof value === "string" ? !value.includes("$") : typeof value !== "object" || value === null;
}

function resolveItems(items: JsonArray, place: Place, scope: PlaceScope): JsonArray {
  const resolved: Json[] = [];
  for (const [index, item] of items.entries()) {
    if (isPlain(item)) {
      resolved.push(item);
      continue;
    }
    const at = stepInto(place, index, resolved.length);
    if (typeof item !== "string") {
      resolved.push(resolveValue(item, at, scope));
      continue;
    }
    const { value, drop } = resolveText(item, at, scope);
    if (!drop) resolved.push(value ?? null);
  }
  return resolved;
}

function stepInto(place: Place, step: string | number, resolvedStep: string | number): Place {
  return { script: [...place.script, step], resolved: [...place.resolved, resolvedStep] };
}

function resolveText(text: string, place: Place, scope: PlaceScope): ResolvedText {
  if (!text.includes("$")) return { value: text, drop: false };
  const path = place.script;
  const template = parseTemplate(text);
  const errors = listFaults(template, path).filter(({ severity }) => severity === "error");
  if (errors.length > 0) {
    for (const error of errors) scope.report(error);
    return { value: undefined, drop: false };
  }
  const toWrittenCall = (call: Call): WrittenCall => {
    return { call, written: text.slice(call.offset, call.offset + call.length) };
  };
  let isKept = false;
  const value = evaluate(template, {
    facts: scope.facts,
    answer: (key) => {
      isKept ||= scope.isLost(key);
      return scope.answer(key);
    },
    location: scope.location,
    randomString: (characters, ordinal) => scope.randomString(path, ordinal, characters),
    enter: (call) => scope.enter(place, toWrittenCall(call)),
    leave: scope.leave,
    used: (call, value) => scope.used(place, toWrittenCall(call), value),
    branched: (call, holds) => scope.branched(place, call, holds),
    fault: ({ offset, length }, message) =>
      scope.report({ code: "MACRO_VALUE", severity: "error", message, path, within: { offset, length } }),
  });
  const kept = isKept ? scope.liveAt(path) : undefined;
  if (kept !== undefined) return { value: kept, drop: false };
  return { value, drop: value === "" && findOnlyCall(template.root)?.name === "IF" };
}

/** A string's macros resolved to text; null where they can't be. */
export function resolveToText(text: string, place: Place, scope: PlaceScope): string | null {
  const { value } = resolveText(text, place, scope);
  return value === undefined ? null : toText(value);
}
