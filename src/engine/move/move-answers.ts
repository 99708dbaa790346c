/** Answers of another box as they are on this one: what lay below a location there lies below the same location here. */
import { isJsonObject, type Json } from "../../core/json/json.ts";

type Locations = Readonly<Record<string, string>>;

/** A move of every text of a value that is the path of a location, or a path below it; any other stays as it was. */
export function createMove(from: Locations, to: Locations): (value: Json) => Json {
  const roots = Object.entries(to)
    .flatMap(([id, here]) => (Object.hasOwn(from, id) ? [{ there: from[id] ?? "", here }] : []))
    // One location may lie in another.
    .toSorted((one, other) => other.there.length - one.there.length);
  const movePath = (path: string): string => {
    const root = roots.find(({ there }) => path === there || path.startsWith(`${there}/`));
    return root === undefined ? path : `${root.here}${path.slice(root.there.length)}`;
  };
  const move = (value: Json): Json => {
    if (typeof value === "string") return movePath(value);
    if (Array.isArray(value)) return value.map(move);
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, move(member)]));
  };
  return move;
}
