/**
 * JSON text of what the guest says. `JSON.stringify` asks every object for `toJSON`, also on the prototypes a script can
 * change; this asks nothing: only own members are read, and no method of any prototype is called.
 */
import { getOwn, isArray, isFiniteNumber, keysOf, stringifyJson } from "./primordials.ts";

/** One value as JSON text; members that JSON can't hold are left out of objects and are null in arrays. */
export function writeJson(value: unknown): string {
  return writeValue(value) ?? "null";
}

function writeValue(value: unknown): string | undefined {
  switch (typeof value) {
    case "string":
      // of a string, nothing is asked of its prototype
      return stringifyJson(value);
    case "number":
      return isFiniteNumber(value) ? `${value}` : "null";
    case "boolean":
      return value ? "true" : "false";
    case "object":
      if (value === null) return "null";
      return isArray(value) ? writeArray(value) : writeObject(value as { readonly [key: string]: unknown });
    default:
      return undefined;
  }
}

function writeArray(items: readonly unknown[]): string {
  let text = "[";
  for (let i = 0; i < items.length; i += 1) {
    if (i > 0) text += ",";
    text += writeValue(getOwn(items, i)) ?? "null";
  }
  return `${text}]`;
}

function writeObject(members: { readonly [key: string]: unknown }): string {
  const keys = keysOf(members);
  let text = "";
  for (let i = 0; i < keys.length; i += 1) {
    const key = keys[i];
    if (key === undefined) continue;
    const member = writeValue(getOwn(members, key));
    if (member === undefined) continue;
    text += `${text === "" ? "" : ","}${stringifyJson(key)}:${member}`;
  }
  return `{${text}}`;
}
