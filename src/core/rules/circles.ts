type Graph = ReadonlyMap<string, readonly string[]>;

/**
 * The circles of a directed graph: for each node that can reach itself through others, a number shared by the nodes it
 * can go to and come back from (strongly connected components, Kosaraju). Linear and without recursion: a script may
 * have any number of hooks.
 */
export function findCircles(graph: Graph): ReadonlyMap<string, number> {
  const backward = new Map<string, string[]>();
  for (const [from, tos] of graph) {
    for (const to of tos) {
      const sources = backward.get(to) ?? [];
      backward.set(to, sources);
      sources.push(from);
    }
  }
  const finished: string[] = [];
  const seen = new Set<string>();
  for (const start of graph.keys()) visit(graph, start, seen, (node) => finished.push(node));
  const circles = new Map<string, number>();
  const taken = new Set<string>();
  let circle = 0;
  for (const start of finished.reverse()) {
    const members: string[] = [];
    visit(backward, start, taken, (node) => members.push(node));
    if (members.length < 2) continue;
    circle += 1;
    for (const member of members) circles.set(member, circle);
  }
  return circles;
}

/** Depth first; `leave` is called for a node after everything it leads to. */
function visit(graph: Graph, start: string, seen: Set<string>, leave: (node: string) => void): void {
  if (seen.has(start)) return;
  seen.add(start);
  const stack = [{ node: start, next: (graph.get(start) ?? []).values() }];
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const { value: to, done } = top.next.next();
    if (done) {
      leave(top.node);
      stack.pop();
    } else if (!seen.has(to)) {
      seen.add(to);
      stack.push({ node: to, next: (graph.get(to) ?? []).values() });
    }
  }
}
