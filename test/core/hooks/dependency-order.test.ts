import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { orderByDependencies } from "../../../src/core/hooks/dependency-order.ts";

const IDS = ["a", "b", "c", "d", "e", "f"];
const id = fc.constantFrom(...IDS);
const edges = fc.array(fc.tuple(id, id), { maxLength: 12 });

type Edges = readonly (readonly [string, string])[];
const targetsOf = (all: Edges) => (from: string) => all.filter(([one]) => one === from).map(([, to]) => to);

/** Whether one id depends on another, directly or through others. */
function reaches(all: Edges, from: string, to: string, seen = new Set<string>()): boolean {
  return targetsOf(all)(from).some((next) => {
    if (next === to) return true;
    if (seen.has(next)) return false;
    return reaches(all, next, to, seen.add(next));
  });
}

describe("the order of apps that depend on each other", () => {
  it("has every id once, each after what it depends on unless both are in a circle, however they are given", () => {
    fc.assert(
      fc.property(edges, fc.shuffledSubarray(IDS, { minLength: IDS.length }), (all, given) => {
        const order = orderByDependencies(given, targetsOf(all));
        expect(order.toSorted()).toEqual(IDS);
        for (const [from, to] of all) {
          if (!reaches(all, to, from)) expect(order.indexOf(to)).toBeLessThan(order.indexOf(from));
        }
        expect(orderByDependencies(given.toReversed(), targetsOf(all.toReversed()))).toEqual(order);
      }),
    );
  });

  it("looks at all of them a few times, however many a hostile file puts into one circle", () => {
    const ids = Array.from({ length: 1_000 }, (_, at) => `a${String(at).padStart(3, "0")}`);
    const beside = new Map(
      ids.map((one, at) => [one, [ids.at(at - 1), ids[at + 1]].filter((other) => other !== undefined)]),
    );
    let looks = 0;
    const order = orderByDependencies(ids, (one) => {
      looks += 1;
      return beside.get(one) ?? [];
    });
    expect(order).toEqual(ids);
    expect(looks).toBeLessThan(10 * ids.length);
  });

  it("begins a circle with its smallest, and knows no id it was not given", () => {
    const all: Edges = [
      ["b", "c"],
      ["c", "b"],
      ["a", "c"],
      ["b", "z"],
    ];
    expect(orderByDependencies(["a", "b", "c"], targetsOf(all))).toEqual(["b", "c", "a"]);
  });

  it("asks a few times for the dependencies of each of many", () => {
    const many = Array.from({ length: 300 }, (_, at) => `app-${String(at).padStart(4, "0")}`);
    let asked = 0;
    const order = orderByDependencies(many, (from) => {
      asked += 1;
      return many.slice(many.indexOf(from) + 1, many.indexOf(from) + 3);
    });
    expect(order).toEqual(many.toReversed());
    expect(asked).toBeLessThanOrEqual(many.length * 2);
  });
});
