/** Finding again, in an installed app's configuration, what a macro yielded when it was installed (docs/decisions.md, section 2.7). */
import { isJsonArray, isJsonObject, type Json, type JsonObject, type JsonPath } from "../../json/json.ts";
import { parseTemplate } from "../../macros/parse.ts";
import { listMacroStrings } from "../../macros/places.ts";
import { findOnlyCall } from "../../macros/tree.ts";
import { getOwn } from "../../script/parse/read-fields.ts";

/** Items of a list of the host that are looked at for one that has moved: each place of a script looks at them. */
const MOST_LOOKED_AT = 200;

/** The place of the first string of `app_values` that is one `$QUESTION` from end to end, by question key. */
export function findQuestionPlaces(appValues: JsonObject): ReadonlyMap<string, JsonPath> {
  const places = new Map<string, JsonPath>();
  for (const { text, path, key } of listMacroStrings(appValues, [])) {
    if (key || !text.startsWith("$QUESTION(")) continue;
    const call = findOnlyCall(parseTemplate(text).root);
    if (call?.name === "QUESTION" && !places.has(call.key)) places.set(call.key, path);
  }
  return places;
}

/**
 * The live value at a place of the script's `app_values`; undefined where there is none. In an array the element is
 * the one whose written-out members equal the script's, because a person or a dropped item may have moved it.
 */
export function readLiveValue(appValues: JsonObject, live: JsonObject, path: JsonPath): Json | undefined {
  let declared: Json | undefined = appValues;
  let found: Json | undefined = live;
  for (const step of path) {
    if (typeof step === "number") {
      if (!isJsonArray(declared) || !isJsonArray(found)) return undefined;
      const items: readonly Json[] = declared;
      declared = items[step];
      found = findCounterpart(declared, found, step, holdsDroppable(items));
    } else {
      if (!isJsonObject(declared) || !isJsonObject(found)) return undefined;
      declared = getOwn(declared, step);
      found = getOwn(found, step);
    }
  }
  return found ?? undefined;
}

const droppable = new WeakMap<readonly Json[], boolean>();

/** Looked up once a list, which may have ten thousand places. */
function holdsDroppable(items: readonly Json[]): boolean {
  const known = droppable.get(items) ?? items.some(isDroppable);
  droppable.set(items, known);
  return known;
}

/** `moves`: an item before it may have been dropped, so that its index says nothing. */
function findCounterpart(
  declared: Json | undefined,
  found: readonly Json[],
  index: number,
  moves: boolean,
): Json | undefined {
  if (!isJsonObject(declared)) return moves ? undefined : found[index];
  const written = Object.entries(declared).filter(([, value]) => isWrittenOut(value));
  const fits = (item: Json | undefined) =>
    isJsonObject(item) && written.every(([key, value]) => getOwn(item, key) === value);
  if (written.length === 0) return moves || !fits(found[index]) ? undefined : found[index];
  return fits(found[index]) ? found[index] : found.slice(0, MOST_LOOKED_AT).find(fits);
}

/** An `$IF` that yields nothing drops its item (docs/decisions.md, section 2.4). */
function isDroppable(item: Json): boolean {
  return typeof item === "string" && item.startsWith("$IF(");
}

function isWrittenOut(value: Json): boolean {
  return typeof value === "string" ? !value.includes("$") : typeof value === "number" || typeof value === "boolean";
}
