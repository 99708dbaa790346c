/** What a changed answer makes of an app's values, held against what its script says. Pure. */
import { isEqual } from "../../core/json/is-equal.ts";
import { isJsonObject, type Json, type JsonObject, type JsonPath } from "../../core/json/json.ts";

/** Values before and after one change: of the plans, and of the app on the host. */
export interface OptionChange {
  readonly planned: { readonly before: JsonObject; readonly after: JsonObject };
  readonly found: { readonly before: JsonObject; readonly after: JsonObject };
  /** Whether the plan's value at a place is generated, so that nobody knows it. */
  isGenerated(path: JsonPath): boolean;
}

/** Places at which the app has not what the plan says, and those that changed although nothing there hangs on the answer. */
export function judgeOption({ planned, found, isGenerated }: OptionChange): {
  readonly unseen: readonly JsonPath[];
  readonly strayed: readonly JsonPath[];
} {
  const expected = listChanges(planned.before, planned.after);
  const changed = listChanges(found.before, found.after);
  return {
    unseen: expected.filter(
      (path) => !isGenerated(path) && !isEqual(readAt(found.after, path), readAt(planned.after, path)),
    ),
    strayed: changed.filter((path) => !expected.some((of) => isWithin(path, of) || isWithin(of, path))),
  };
}

/** Where two values differ, lists as a whole: an update replaces them so. */
export function listChanges(
  before: Json | undefined,
  after: Json | undefined,
  path: JsonPath = [],
): readonly JsonPath[] {
  if (!isJsonObject(before) || !isJsonObject(after)) return isEqual(before, after) ? [] : [path];
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key) => listChanges(readAt(before, [key]), readAt(after, [key]), [...path, key]));
}

/** The value at a place of objects; undefined where there is none. */
export function readAt(value: Json | undefined, path: JsonPath): Json | undefined {
  return path.reduce<Json | undefined>(
    (at, key) => (isJsonObject(at) && Object.hasOwn(at, key) ? at[key] : undefined),
    value,
  );
}

function isWithin(path: JsonPath, of: JsonPath): boolean {
  return of.every((step, index) => path[index] === step);
}
