/**
 * Many texts as one automaton, which is led through a text unit by unit and finds all of them in one pass (Aho and Corasick).
 * Kept in arrays: the forms of a script's secrets have more than a million beginnings.
 */

/** The tree of the texts' beginnings. Its nodes are numbers, the root 0; most go on with one unit, only others take a map. */
export interface TextAutomaton {
  /** Of each node a unit it goes on with, and the node that leads to; 0: none. */
  readonly unit: Uint16Array;
  readonly child: Uint32Array;
  readonly more: ReadonlyMap<number, ReadonlyMap<number, number>>;
  /** The longest other beginning that ends with a node's own. */
  readonly shorter: Uint32Array;
  /** All nodes, each behind its `shorter`. */
  readonly order: Uint32Array;
  /** The node at which each of the texts ends. */
  readonly ends: Uint32Array;
}

/** The node before the first unit. */
export const ROOT = 0;

type Tree = Pick<TextAutomaton, "unit" | "child" | "more">;

/** Builds the automaton of some texts. */
export function buildAutomaton(texts: readonly string[]): TextAutomaton {
  const room = texts.reduce((sum, { length }) => sum + length, 1);
  const unit = new Uint16Array(room);
  const child = new Uint32Array(room);
  const more = new Map<number, Map<number, number>>();
  const ends = new Uint32Array(texts.length);
  let nodes = 1;
  for (const [index, text] of texts.entries()) {
    let node = ROOT;
    for (let at = 0; at < text.length; at += 1) {
      const next = text.charCodeAt(at);
      const known = findChild({ unit, child, more }, node, next);
      if (known === ROOT && child[node] === ROOT) {
        unit[node] = next;
        child[node] = nodes;
      } else if (known === ROOT) {
        const others = more.get(node) ?? new Map<number, number>();
        more.set(node, others.set(next, nodes));
      }
      if (known === ROOT) nodes += 1;
      node = known === ROOT ? nodes - 1 : known;
    }
    ends[index] = node;
  }
  return linkShorter({ unit: unit.slice(0, nodes), child: child.slice(0, nodes), more }, ends);
}

/** Breadth first: a shorter beginning is linked before a longer one looks for it. */
function linkShorter(tree: Tree, ends: Uint32Array): TextAutomaton {
  const { unit, child, more } = tree;
  const shorter = new Uint32Array(unit.length);
  const order = new Uint32Array(unit.length);
  const automaton = { ...tree, shorter, order, ends };
  let last = 1;
  for (let first = 0; first < last; first += 1) {
    const node = order[first] ?? ROOT;
    const link = (units: number, next: number): void => {
      if (node !== ROOT) shorter[next] = advance(automaton, shorter[node] ?? ROOT, units);
      order[last] = next;
      last += 1;
    };
    if (child[node] !== ROOT) link(unit[node] ?? 0, child[node] ?? ROOT);
    for (const [units, next] of more.get(node) ?? []) link(units, next);
  }
  return automaton;
}

/** The beginning that is a node's own with one more unit; the root where there is none. */
export function findChild({ unit, child, more }: Tree, node: number, next: number): number {
  if (unit[node] === next && child[node] !== ROOT) return child[node] ?? ROOT;
  return more.get(node)?.get(next) ?? ROOT;
}

/** The longest beginning that ends with one more unit. */
export function advance(automaton: TextAutomaton, from: number, unit: number): number {
  let node = from;
  for (;;) {
    const next = findChild(automaton, node, unit);
    if (next !== ROOT || node === ROOT) return next;
    node = automaton.shorter[node] ?? ROOT;
  }
}
