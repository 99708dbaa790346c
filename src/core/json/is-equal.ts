import { isJsonObject, type Json } from "./json.ts";

/** Equal as JSON, whatever the order of keys. */
export function isEqual(a: Json | undefined, b: Json | undefined): boolean {
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item: Json, index) => isEqual(item, b[index]));
  }
  if (!isJsonObject(a) || !isJsonObject(b)) return a === b;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => isEqual(a[key], Object.hasOwn(b, key) ? b[key] : undefined))
  );
}
