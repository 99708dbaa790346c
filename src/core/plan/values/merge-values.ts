import { isJsonObject, type Json, type JsonObject } from "../../json/json.ts";

/**
 * Answers the values to send by `app.update`: the script's merged deeply into the live configuration, arrays replaced
 * whole, keys the script does not have kept. Only the top-level sections the script names, each whole: the host
 * replaces a section it is sent (docs/decisions.md, section 4; docs/host-api.md, section 4).
 */
export function mergeValues(script: JsonObject, live: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(script).map(([key, value]) => [key, merge(getOwn(live, key), value)]));
}

/** Whether a configuration holds all of these values already. */
export function holdsValues(live: Json | undefined, wanted: Json): boolean {
  if (!isJsonObject(wanted)) return JSON.stringify(live) === JSON.stringify(wanted);
  return isJsonObject(live) && Object.entries(wanted).every(([key, value]) => holdsValues(getOwn(live, key), value));
}

function merge(live: Json | undefined, script: Json): Json {
  if (!isJsonObject(script) || !isJsonObject(live)) return script;
  return { ...live, ...mergeValues(script, live) };
}

function getOwn(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
