type Graph = ReadonlyMap<string, readonly string[]>;

/**
 * The nodes of a graph that stand in a circle, or on a way from one circle to another. Linear: what leads to nothing
 * is taken away until nothing is left to take, then the same from the other side.
 */
export function findCircleNodes(graph: Graph): ReadonlySet<string> {
  return new Set(withoutEnds(reverseGraph(withoutEnds(graph))).keys());
}

/** The graph without the nodes every way from which ends. */
function withoutEnds(graph: Graph): Graph {
  const users = reverseGraph(graph);
  const left = new Map([...graph].map(([node, next]) => [node, next.length]));
  const gone = new Set([...users.keys(), ...graph.keys()].filter((node) => (left.get(node) ?? 0) === 0));
  const ends = [...gone];
  for (let end = ends.pop(); end !== undefined; end = ends.pop()) {
    for (const user of users.get(end) ?? []) {
      const count = (left.get(user) ?? 0) - 1;
      left.set(user, count);
      if (count > 0 || gone.has(user)) continue;
      gone.add(user);
      ends.push(user);
    }
  }
  const kept = [...graph].filter(([node]) => !gone.has(node));
  return new Map(kept.map(([node, next]) => [node, next.filter((one) => !gone.has(one))]));
}

function reverseGraph(graph: Graph): Graph {
  const turned = new Map<string, string[]>();
  for (const [node, next] of graph) {
    for (const one of next) {
      const users = turned.get(one);
      if (users === undefined) turned.set(one, [node]);
      else users.push(node);
    }
  }
  return turned;
}
