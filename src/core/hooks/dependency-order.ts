/** The order in which apps that depend on each other are changed. Pure. */
import { compareText } from "../script/parse/place-problems.ts";

/**
 * Orders ids so that each comes after those it depends on, ids in no order by their text. In a circle, where that can't be,
 * the smallest of it comes first.
 */
export function orderByDependencies(
  ids: Iterable<string>,
  dependenciesOf: (id: string) => Iterable<string>,
): readonly string[] {
  const left = new Set([...ids].toSorted(compareText));
  const order: string[] = [];
  while (left.size > 0) {
    const reachable = new Map([...left].map((id) => [id, collectReachable(id, left, dependenciesOf)]));
    const isReady = (id: string) => [...(reachable.get(id) ?? [])].every((other) => reachable.get(other)?.has(id));
    const next = [...left].find(isReady);
    if (next === undefined) throw new Error("some id is always ready: the circles of ids are in no circle");
    left.delete(next);
    order.push(next);
  }
  return order;
}

/** What an id depends on, directly or through others, among those left. */
function collectReachable(
  id: string,
  left: ReadonlySet<string>,
  dependenciesOf: (id: string) => Iterable<string>,
): ReadonlySet<string> {
  const reached = new Set<string>();
  const open = [id];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const next of dependenciesOf(at)) {
      if (!left.has(next) || reached.has(next)) continue;
      reached.add(next);
      open.push(next);
    }
  }
  return reached;
}
