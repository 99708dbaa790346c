import { isEqual } from "../../json/is-equal.ts";
import { isJsonObject, type Json, type JsonObject } from "../../json/json.ts";
import { getOwn } from "../../script/parse/read-fields.ts";

/**
 * Answers the values to send by `app.update`: the script's merged deeply into the live configuration, arrays replaced
 * whole, keys the script does not have kept. Only the top-level sections the script names, each whole: the host
 * replaces a section it is sent (docs/decisions.md, section 4; docs/host-api.md, section 4).
 */
export function mergeValues(script: JsonObject, live: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(script).map(([key, value]) => [key, merge(getOwn(live, key), value)]));
}

/** What a configuration has in the places of a script's values, arrays whole; what it does not have is left out. */
export function pickValues(script: JsonObject, live: JsonObject): JsonObject {
  const picked = Object.entries(script).flatMap(([key, value]): readonly (readonly [string, Json])[] => {
    const held = getOwn(live, key);
    if (held === undefined) return [];
    return [[key, isJsonObject(value) && isJsonObject(held) ? pickValues(value, held) : held]];
  });
  return Object.fromEntries(picked);
}

/**
 * Whether a configuration holds all of these values of a script already; what the host has beside them, as its defaults, is
 * left alone by an update too.
 */
export function holdsValues(live: Json | undefined, wanted: Json): boolean {
  if (!isJsonObject(wanted)) return isEqual(live, wanted);
  return isJsonObject(live) && Object.entries(wanted).every(([key, value]) => holdsValues(getOwn(live, key), value));
}

/** Whether a configuration holds values as they were sent, or as the host keeps them by the app's schema. */
export function holdsSent(live: Json | undefined, sent: JsonObject, kept: JsonObject = sent): boolean {
  return holdsValues(live, sent) || holdsValues(live, kept);
}

/**
 * Whether a configuration has exactly these sections, as the host had them at some time: its defaults are among them, and
 * a section it is sent takes the place of what it has. Other sections it keeps.
 */
export function hasSections(live: JsonObject, former: JsonObject): boolean {
  return Object.entries(former).every(([key, section]) => isEqual(getOwn(live, key), section));
}

function merge(live: Json | undefined, script: Json): Json {
  if (!isJsonObject(script) || !isJsonObject(live)) return script;
  return { ...live, ...mergeValues(script, live) };
}
