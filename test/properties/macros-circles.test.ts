import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findCircleNodes } from "../../src/core/macros/circles.ts";

const SEED = Number(process.env["SEED"] ?? Date.now() % 2 ** 31);
const node = fc.integer({ min: 0, max: 6 }).map(String);
const graphs = fc.array(fc.tuple(node, fc.array(node, { maxLength: 3 }))).map((entries) => new Map(entries));

/** Reference: everything a node leads to, step by step. */
function reachable(graph: ReadonlyMap<string, readonly string[]>, from: string): ReadonlySet<string> {
  const seen = new Set<string>();
  const open = [...(graph.get(from) ?? [])];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    open.push(...(graph.get(next) ?? []));
  }
  return seen;
}

describe(`circles of question defaults, seed ${SEED}`, () => {
  it("are the nodes that reach themselves, and those on a way from one circle to another", () => {
    fc.assert(
      fc.property(graphs, (graph) => {
        const nodes = [...graph.keys()];
        const circular = nodes.filter((one) => reachable(graph, one).has(one));
        const expected = nodes.filter((one) => {
          const after = reachable(graph, one);
          const between =
            circular.some((end) => after.has(end)) && circular.some((start) => reachable(graph, start).has(one));
          return after.has(one) || between;
        });
        expect([...findCircleNodes(graph)].toSorted()).toEqual(expected.toSorted());
      }),
      { seed: SEED, numRuns: 2000 },
    );
  });
});
