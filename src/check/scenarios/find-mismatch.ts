import { isJsonObject, type Json, type JsonPath } from "../../core/json/json.ts";
import type { Placed } from "./place-findings.ts";

/** Where a value is not what is expected: objects may have more members, lists are as long as expected. */
export function findMismatches(expected: Json, found: Json | undefined, path: JsonPath): readonly Placed[] {
  if (isJsonObject(expected) && isJsonObject(found)) {
    return Object.entries(expected).flatMap(([key, value]) =>
      value === undefined
        ? []
        : findMismatches(value, Object.hasOwn(found, key) ? found[key] : undefined, [...path, key]),
    );
  }
  if (Array.isArray(expected) && Array.isArray(found) && expected.length === found.length) {
    return expected.flatMap((value, index) => findMismatches(value, found[index], [...path, index]));
  }
  if (expected === found) return [];
  const shown = found === undefined ? "missing" : JSON.stringify(found);
  return [{ path, message: `expected is ${JSON.stringify(expected)}, and it is ${shown}` }];
}
