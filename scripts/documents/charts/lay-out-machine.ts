/** Lays a machine out with ELK: states inside states, lines at right angles, labels that nothing covers. */
import elk, { type ElkExtendedEdge, type ElkNode } from "elkjs/lib/elk.bundled.js";
import type { AnyStateMachine } from "xstate";
import { type Box, type Chart, type ChartEdge, nameCause, nameState } from "../../../src/web/elements/machine/chart.ts";
import { type ListedState, listStates, listTransitions } from "./list-machine.ts";
import { measureName, placeTitles } from "./place-titles.ts";

/** px a letter of a label takes (11 px, of one width). */
const LABEL_LETTER = 6.8;
const LABEL_LINE = 15;
const STATE_HEIGHT = 46;
const ROOT = "";

const OPTIONS = {
  "elk.algorithm": "layered",
  "elk.direction": "DOWN",
  "elk.edgeRouting": "ORTHOGONAL",
  "elk.hierarchyHandling": "INCLUDE_CHILDREN",
  "elk.json.shapeCoords": "ROOT",
  "elk.json.edgeCoords": "ROOT",
  "elk.randomSeed": "1",
  "elk.layered.spacing.nodeNodeBetweenLayers": "26",
  "elk.layered.spacing.edgeNodeBetweenLayers": "14",
  "elk.layered.spacing.edgeEdgeBetweenLayers": "10",
  "elk.spacing.nodeNode": "22",
  "elk.spacing.edgeNode": "14",
  "elk.spacing.edgeEdge": "10",
  "elk.spacing.edgeLabel": "4",
  "elk.layered.nodePlacement.strategy": "NETWORK_SIMPLEX",
  "elk.layered.considerModelOrder.strategy": "NODES_AND_EDGES",
  "elk.layered.cycleBreaking.strategy": "MODEL_ORDER",
};
const PADDING = "[top=38,left=16,bottom=16,right=16]";

/** Lays out one machine; the same machine gives the same chart. */
export async function layOutMachine({
  machine,
  version,
}: {
  readonly machine: AnyStateMachine;
  readonly version: number;
}): Promise<Chart> {
  const states = listStates(machine);
  const transitions = listTransitions(machine);
  const lines = groupLines(transitions);
  const graph: ElkNode = {
    id: "machine",
    layoutOptions: OPTIONS,
    children: nest(states, ROOT),
    edges: lines.map(({ id, from, to, label }) => ({
      id,
      sources: [from],
      targets: [to],
      labels: [
        {
          id: `${id} label`,
          text: label.join("\n"),
          width: Math.ceil(Math.max(...label.map(({ length }) => length)) * LABEL_LETTER) + 6,
          height: label.length * LABEL_LINE,
        },
      ],
    })),
  };
  const root = await new elk.default().layout(graph);
  const boxes = new Map(listNodes(root).map((node) => [node.id, readBox(node)]));
  const laidOut = new Map(root.edges?.map((edge) => [edge.id, edge]));
  const edges = lines.map(({ id, from, to, label }) => {
    const edge = demand(laidOut.get(id), id);
    return { from, to, points: readPoints(edge), label, labelBox: readBox(demand(edge.labels?.[0], id)) };
  });
  return {
    version,
    width: Math.ceil(root.width ?? 0),
    height: Math.ceil(root.height ?? 0),
    states: placeTitles(
      states.map((state) => ({ ...state, box: demand(boxes.get(state.path), state.path) })),
      edges,
    ),
    transitions,
    edges,
  };
}

/** One line from a state to another, whatever number of transitions leads along it. */
function groupLines(transitions: Chart["transitions"]): readonly (Omit<ChartEdge, "points" | "labelBox"> & {
  readonly id: string;
})[] {
  const drawn = transitions.flatMap((each) =>
    each.to === null || each.from === ROOT ? [] : [{ ...each, to: each.to }],
  );
  return [...Map.groupBy(drawn, ({ from, to }) => `${from} to ${to}`)].flatMap(([id, group]) => {
    const [first] = group;
    return first === undefined
      ? []
      : [{ id, from: first.from, to: first.to, label: [...new Set(group.map(nameCause))] }];
  });
}

function nest(states: readonly ListedState[], parent: string): ElkNode[] {
  return states
    .filter(({ path }) => path.slice(0, Math.max(0, path.lastIndexOf("."))) === parent)
    .map(({ path, kind }) => {
      if (kind === "history") return { id: path, width: 30, height: 30 };
      const width = Math.max(96, measureName(nameState(path)) + 34);
      if (kind !== "compound") return { id: path, width, height: STATE_HEIGHT };
      return {
        id: path,
        children: nest(states, path),
        layoutOptions: {
          "elk.padding": PADDING,
          "elk.nodeSize.constraints": "MINIMUM_SIZE",
          "elk.nodeSize.minimum": `(${width}, 60)`,
        },
      };
    });
}

function listNodes(node: ElkNode): readonly ElkNode[] {
  return (node.children ?? []).flatMap((child) => [child, ...listNodes(child)]);
}

function readBox({
  x = 0,
  y = 0,
  width = 0,
  height = 0,
}: Partial<Record<"x" | "y" | "width" | "height", number>>): Box {
  return [round(x), round(y), round(width), round(height)];
}

function readPoints({ sections = [] }: ElkExtendedEdge): ChartEdge["points"] {
  return sections
    .flatMap(({ startPoint, bendPoints = [], endPoint }) => [startPoint, ...bendPoints, endPoint])
    .map(({ x, y }) => [round(x), round(y)] as const);
}

function round(px: number): number {
  return Math.round(px * 10) / 10;
}

function demand<T>(found: T | undefined, name: string): T {
  if (found === undefined) throw new Error(`ELK laid out no "${name}"`);
  return found;
}
