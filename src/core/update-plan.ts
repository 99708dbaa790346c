/**
 * What an update sends and changes (decisions.md 4, Update): a deep merge with the live configuration, whole top-level
 * sections, arrays replaced whole, keys absent in the script kept.
 */
import { gt, satisfies, valid, validRange } from "semver";
import type { Dictionary } from "./dictionary.ts";
import { isJsonObject, type Json, type JsonObject, type JsonPath } from "./json.ts";
import { createMask, maskJson } from "./mask.ts";
import { own } from "./parse-dictionary-read.ts";
import type { Plan } from "./plan.ts";
import type { CodedFinding } from "./rules/finding.ts";

/** One value an update changes; secrets masked. */
export interface Difference {
  /** Keys from the root of the configuration. */
  readonly path: JsonPath;
  readonly kind: "added" | "changed";
  /** Absent where the value is added. */
  readonly before?: Json;
  readonly after: Json;
}

export interface UpdatePlan {
  /** What `app.update` gets. Holds secrets. */
  readonly values: JsonObject;
  readonly differences: readonly Difference[];
}

/** Merges the values of a plan into the live configuration and reports what changes. */
export function planUpdate(
  { appValues, secrets, secretPlaces }: Pick<Plan, "appValues" | "secrets" | "secretPlaces">,
  live: JsonObject,
): UpdatePlan {
  const values = mergeSections(live, appValues);
  const mask = createMask(secrets);
  const masked = (config: JsonObject) => maskJson(config, mask, secretPlaces);
  // Compared as they are, shown masked: a changed secret is a difference between two equal masks.
  const differences = [...compare(live, values, [])].map((difference): Difference => {
    const after = at(masked(values), difference.path) ?? null;
    if (difference.kind === "added") return { ...difference, after };
    return { ...difference, before: at(masked(live), difference.path) ?? null, after };
  });
  return { values, differences };
}

/** Why a script may not update an app installed with an earlier version of it, or null when it may. */
export function updateFault({ script }: Dictionary, installed: string | null): CodedFinding | null {
  // Installed by other means: there is no script version to hold against the range.
  if (installed === null || installed === script.version) return null;
  const range = script.updateCompatibility ?? `^${majorOf(script.version)}`;
  const comparable = valid(installed) !== null && valid(script.version) !== null && validRange(range) !== null;
  if (comparable && !gt(installed, script.version) && satisfies(installed, range, { includePrerelease: true })) {
    return null;
  }
  const message = `the script ${script.version} admits updates from "${range}", the installed script is "${installed}"`;
  const declared = script.updateCompatibility === undefined ? "version" : "updateCompatibility";
  return { code: "UPDATE_INCOMPATIBLE", severity: "error", message, path: ["script", declared] };
}

/** The whole top-level sections the script has, each merged deeply into the live one. */
function mergeSections(live: JsonObject, appValues: JsonObject): JsonObject {
  return Object.fromEntries(Object.keys(appValues).map((key) => [key, merge(own(live, key), appValues[key] ?? null)]));
}

function merge(live: Json | undefined, value: Json): Json {
  if (!isJsonObject(live) || !isJsonObject(value)) return value;
  const kept = Object.entries(live).filter(([key]) => !Object.hasOwn(value, key));
  const merged = Object.entries(value).map(([key, item]) => [key, merge(own(live, key), item)] as const);
  return Object.fromEntries([...kept, ...merged]);
}

/** Differences of what is sent, deep in objects; an array differs as a whole because it is replaced as a whole. */
function* compare(
  before: JsonObject,
  after: JsonObject,
  path: JsonPath,
): Generator<{ readonly path: JsonPath; readonly kind: Difference["kind"]; readonly after: Json }> {
  for (const [key, value] of Object.entries(after)) {
    const at = [...path, key];
    const old = own(before, key);
    if (old === undefined) yield { path: at, kind: "added", after: value };
    else if (isJsonObject(old) && isJsonObject(value)) yield* compare(old, value, at);
    else if (!isEqual(old, value)) yield { path: at, kind: "changed", after: value };
  }
}

/** Equal as JSON, whatever the order of keys. */
function isEqual(a: Json | undefined, b: Json | undefined): boolean {
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item: Json, index) => isEqual(item, b[index]));
  }
  if (!isJsonObject(a) || !isJsonObject(b)) return a === b;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => isEqual(a[key], own(b, key)));
}

function at(config: Json, path: JsonPath): Json | undefined {
  let value: Json | undefined = config;
  for (const step of path) value = isJsonObject(value) ? own(value, String(step)) : undefined;
  return value;
}

function majorOf(version: string): string {
  return version.split(".")[0] ?? version;
}
