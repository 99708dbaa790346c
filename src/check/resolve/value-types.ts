/** Whether values keep the type they have by default. */
import type { Json, JsonPath } from "../../core/json/json.ts";
import { isJsonObject } from "../../core/json/json.ts";

/** A value whose type is another one. */
interface ChangedType {
  readonly path: JsonPath;
  readonly type: string;
  readonly usual: string;
}

/** The types at every place of a value; the items of a list share a place, as an `$IF` may leave one of them out. */
export type ValueTypes = ReadonlyMap<string, ReadonlySet<string>>;

/** Reads the types of a value. */
export function readTypes(value: Json): ValueTypes {
  const types = new Map<string, Set<string>>();
  visit(value, [], (path, type) => {
    const key = toKey(path);
    types.set(key, (types.get(key) ?? new Set()).add(type));
  });
  return types;
}

/** The first place of each type that has none of the usual ones; a place nothing stands at by default takes any. */
export function findChangedTypes(value: Json, usual: ValueTypes): readonly ChangedType[] {
  const changed = new Map<string, ChangedType>();
  visit(value, [], (path, type) => {
    const key = toKey(path);
    const known = usual.get(key);
    if (known === undefined || known.has(type) || changed.has(key)) return;
    changed.set(key, { path, type, usual: [...known].join(" or ") });
  });
  return [...changed.values()];
}

/** `""` has no type of its own: it stands for no answer and for a branch that is not there. */
function visit(value: Json, path: JsonPath, see: (path: JsonPath, type: string) => void): void {
  if (value === "") return;
  see(path, readType(value));
  if (Array.isArray(value)) for (const [index, item] of value.entries()) visit(item, [...path, index], see);
  else if (isJsonObject(value)) for (const [key, member] of Object.entries(value)) visit(member, [...path, key], see);
}

function readType(value: Json): string {
  return value === null ? "null" : Array.isArray(value) ? "list" : typeof value;
}

function toKey(path: JsonPath): string {
  return JSON.stringify(path.map((step) => (typeof step === "number" ? 0 : step)));
}
