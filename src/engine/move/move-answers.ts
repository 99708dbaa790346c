/** Answers of another box as they are on this one: what lay below a location there lies below the same location here. */
import { isJsonObject, type Json } from "../../core/json/json.ts";

type Locations = Readonly<Record<string, string>>;

/** Moves every text of a value that is the path of a location, or a path below it; any other is as it was. */
export function movePaths(value: Json, from: Locations, to: Locations): Json {
  if (typeof value === "string") return movePath(value, from, to);
  if (Array.isArray(value)) return value.map((item) => movePaths(item, from, to));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, movePaths(member, from, to)]));
}

function movePath(path: string, from: Locations, to: Locations): string {
  const within = Object.entries(from)
    .filter(([id, root]) => Object.hasOwn(to, id) && (path === root || path.startsWith(`${root}/`)))
    // One location may lie in another.
    .toSorted(([, one], [, other]) => other.length - one.length);
  const [found] = within;
  return found === undefined ? path : `${to[found[0]] ?? ""}${path.slice(found[1].length)}`;
}
