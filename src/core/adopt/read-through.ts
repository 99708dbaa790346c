import { isJsonObject, type Json } from "../json/json.ts";
import { getOwn } from "../script/parse/read-fields.ts";

/** Stands for an answer nobody knows yet: no author writes these characters, which Unicode gives no meaning. */
export const MARKER = "\uFDD0answer\uFDD1";

/**
 * What stands in an app's value where its script's has the marker; `made` is that value, with the marker once. undefined
 * where the text around it is another.
 */
export function readThrough(made: Json, live: Json | undefined): Json | undefined {
  if (made === MARKER) return live;
  if (typeof made === "string") return typeof live === "string" ? readFramed(made, live) : undefined;
  if (!isJsonObject(made) || !isJsonObject(live)) return undefined;
  for (const [key, value] of Object.entries(made)) {
    if (countMarkers(value) > 0) return readThrough(value, getOwn(live, key));
  }
  return undefined;
}

/** How often the marker stands in a value. */
export function countMarkers(value: Json | undefined): number {
  if (typeof value === "string") return value.split(MARKER).length - 1;
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce<number>((count, member) => count + countMarkers(member), 0);
}

function readFramed(made: string, live: string): string | undefined {
  const at = made.indexOf(MARKER);
  const [before, after] = [made.slice(0, at), made.slice(at + MARKER.length)];
  const isFramed = live.length >= before.length + after.length && live.startsWith(before) && live.endsWith(after);
  return isFramed ? live.slice(before.length, live.length - after.length) : undefined;
}
