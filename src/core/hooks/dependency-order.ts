/** The order in which apps that depend on each other are changed. Pure. */
import { compareText } from "../script/parse/place-problems.ts";

/** Most ids of a circle that is broken up further; one author or file may name thousands, and each costs a look at all. */
const LARGEST = 100;

/**
 * Orders ids by their text, each after those it depends on, which come just before the first that needs them. In a circle,
 * where that can't be, the smallest of it comes first; one of more than 100 is ordered by text alone.
 */
export function orderByDependencies(
  ids: Iterable<string>,
  dependenciesOf: (id: string) => Iterable<string>,
): readonly string[] {
  const sorted = [...new Set(ids)].toSorted(compareText);
  const known = new Set(sorted);
  const dependencies = (id: string) => [...dependenciesOf(id)].filter((one) => known.has(one)).toSorted(compareText);
  return findCircles(sorted, dependencies).flatMap((circle) => {
    const [first, ...rest] = circle.toSorted(compareText);
    if (circle.length > LARGEST && first !== undefined) return [first, ...rest];
    return rest.length === 0 || first === undefined ? circle : [first, ...orderByDependencies(rest, dependencies)];
  });
}

/** Tarjan's strongly connected components: an id alone, or those that depend on each other; each after what it depends on. */
function findCircles(ids: readonly string[], dependenciesOf: (id: string) => readonly string[]): readonly string[][] {
  const circles: string[][] = [];
  const numbers = new Map<string, number>();
  const open = new Set<string>();
  /** The lowest number of an open id that is reached from this one. */
  const visit = (id: string): number => {
    const number = numbers.size;
    numbers.set(id, number);
    const below = open.size;
    open.add(id);
    let lowest = number;
    for (const next of dependenciesOf(id)) {
      const seen = numbers.get(next);
      if (seen === undefined) lowest = Math.min(lowest, visit(next));
      else if (open.has(next)) lowest = Math.min(lowest, seen);
    }
    if (lowest === number) {
      const circle = [...open].slice(below);
      for (const one of circle) open.delete(one);
      circles.push(circle);
    }
    return lowest;
  };
  for (const id of ids) if (!numbers.has(id)) visit(id);
  return circles;
}
