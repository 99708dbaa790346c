import { isJsonObject, type Json } from "../../src/core/json/json.ts";

/** From version 1: it remembered the step a failed uninstall stopped in, which a retry no longer goes back to. */
export function forgetSteps(snapshot: Json): Json {
  return isJsonObject(snapshot) ? { ...snapshot, historyValue: {} } : snapshot;
}
