/** A JSON value: what install scripts, answers, snapshots and wire bodies are made of. */
export type Json = string | number | boolean | null | JsonArray | JsonObject;
/** A JSON array. */
export type JsonArray = readonly Json[];
/** A JSON object. */
export interface JsonObject {
  readonly [key: string]: Json;
}

/** Keys and indexes from the root of a JSON document to one value in it. */
export type JsonPath = readonly (string | number)[];

/** Tells whether a JSON value is an object (neither array nor null). */
export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Tells whether a JSON value is an array. `Array.isArray` does not narrow readonly arrays. */
export function isJsonArray(value: Json | undefined): value is JsonArray {
  return Array.isArray(value);
}

/** A copy of a record as JSON: what JSON can't hold is left out, as `JSON.stringify` does. */
export function toJsonObject(record: object): JsonObject {
  return JSON.parse(JSON.stringify(record));
}

/**
 * Tells whether a value of any origin is JSON at most `depth` levels deep. The bound keeps a hostile document from
 * overflowing the stack.
 */
export function isJson(value: unknown, depth = 32): value is Json {
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || value === null)
    return ["string", "boolean"].includes(typeof value) || value === null;
  return depth > 0 && Object.values(value).every((member) => isJson(member, depth - 1));
}
