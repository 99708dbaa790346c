/** Differences an update makes to the live configuration, for a person to read before it is sent. */

import { isEqual } from "../../json/is-equal.ts";
import { isJsonObject, type Json, type JsonObject, type JsonPath } from "../../json/json.ts";
import { createMask, maskJson } from "../../report/mask.ts";
import { getOwn } from "../../script/parse/read-fields.ts";
import type { Plan } from "../plan.ts";
import { mergeValues } from "./merge-values.ts";

/** One value an update changes; secrets masked. */
export interface Difference {
  /** Keys from the root of the configuration. */
  readonly path: JsonPath;
  /** Nothing is ever removed: keys the script does not have are kept. */
  readonly kind: "added" | "changed";
  /** Absent where the value is added. */
  readonly before?: Json;
  readonly after: Json;
}

type Updated = Pick<Plan, "appValues" | "secrets" | "secretPlaces"> & {
  readonly dictionary: Pick<Plan["dictionary"], "questions">;
};

/**
 * The differences in the order of the script; an array differs as a whole because it is replaced as a whole. `stored` are
 * the answers an earlier task kept.
 */
export function updateDifferences(
  { appValues, dictionary, secrets, secretPlaces }: Updated,
  live: JsonObject,
  stored: Readonly<Record<string, Json>> = {},
): readonly Difference[] {
  const values = mergeValues(appValues, live);
  // Compared as they are, shown masked: a changed secret is a difference between two equal masks.
  const maskBefore = createMask([...secrets, ...listAbandonedTexts(dictionary, stored)]);
  const shownBefore = maskJson(live, maskBefore, secretPlaces);
  const shownAfter = maskJson(values, createMask(secrets), secretPlaces);
  return [...compare(live, values, [])].map(({ path, kind }): Difference => {
    const after = readValue(shownAfter, path) ?? null;
    return kind === "added"
      ? { path, kind, after }
      : { path, kind, before: readValue(shownBefore, path) ?? null, after };
  });
}

/** Answers the script asks for no more: nobody knows whether one was a password. */
function listAbandonedTexts({ questions }: Updated["dictionary"], stored: Readonly<Record<string, Json>>): string[] {
  const asked = new Set(questions.map(({ key }) => key));
  return Object.entries(stored).flatMap(([key, value]) => (!asked.has(key) && typeof value === "string" ? value : []));
}

function* compare(before: JsonObject, after: JsonObject, path: JsonPath): Generator<Pick<Difference, "path" | "kind">> {
  for (const [key, value] of Object.entries(after)) {
    const at = [...path, key];
    const old = getOwn(before, key);
    if (old === undefined) yield { path: at, kind: "added" };
    else if (isJsonObject(old) && isJsonObject(value)) yield* compare(old, value, at);
    else if (!isEqual(old, value)) yield { path: at, kind: "changed" };
  }
}

function readValue(config: Json | undefined, path: JsonPath): Json | undefined {
  let value = config;
  for (const step of path) value = isJsonObject(value) ? getOwn(value, String(step)) : undefined;
  return value;
}
