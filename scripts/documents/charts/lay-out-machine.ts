/** Lays a machine out with ELK: states inside states, lines at right angles, each through the middle of its label. */
import elk, { type ElkExtendedEdge, type ElkNode } from "elkjs/lib/elk.bundled.js";
import type { MachineState, MachineView } from "../../../src/engine/api.ts";
import {
  type Box,
  type Chart,
  type ChartEdge,
  groupLines,
  type Point,
} from "../../../src/web/elements/machine/chart.ts";
import { roundUp, sizeLeaf, UNIT } from "../../../src/web/elements/machine/place-machine.ts";
import { boxTitle, measureLabel, placeTitles } from "./place-titles.ts";

const ROOT = "";

const OPTIONS = {
  "elk.algorithm": "layered",
  "elk.direction": "DOWN",
  "elk.edgeRouting": "ORTHOGONAL",
  "elk.hierarchyHandling": "INCLUDE_CHILDREN",
  "elk.json.shapeCoords": "ROOT",
  "elk.json.edgeCoords": "ROOT",
  "elk.randomSeed": "1",
  "elk.layered.spacing.nodeNodeBetweenLayers": "24",
  "elk.layered.spacing.edgeNodeBetweenLayers": "16",
  "elk.layered.spacing.edgeEdgeBetweenLayers": "8",
  "elk.spacing.nodeNode": "24",
  "elk.spacing.edgeNode": "16",
  "elk.spacing.edgeEdge": "8",
  "elk.spacing.edgeLabel": "8",
  "elk.layered.nodePlacement.strategy": "NETWORK_SIMPLEX",
  "elk.layered.considerModelOrder.strategy": "NODES_AND_EDGES",
  "elk.layered.cycleBreaking.strategy": "MODEL_ORDER",
};
const PADDING = "[top=40,left=16,bottom=16,right=16]";

/** Lays out one machine; the same machine gives the same chart. */
export async function layOutMachine({ version, states, transitions }: MachineView): Promise<Chart> {
  const lines = groupLines(transitions).map((line) => ({ ...line, id: `${line.from} to ${line.to}` }));
  const graph: ElkNode = {
    id: "machine",
    layoutOptions: OPTIONS,
    children: nest(states, ROOT),
    edges: lines.map(({ id, from, to, label }) => {
      const [width, height] = measureLabel(label);
      return {
        id,
        sources: [from],
        targets: [to],
        labels: [
          {
            id: `${id} label`,
            text: label.join("\n"),
            width: roundUp(width),
            height: roundUp(height),
            layoutOptions: { "elk.edgeLabels.inline": "true" },
          },
        ],
      };
    }),
  };
  const root = await new elk.default().layout(graph);
  const boxes = new Map(listNodes(root).map((node) => [node.id, readBox(node)]));
  const laidOut = new Map(root.edges?.map((edge) => [edge.id, edge]));
  const edges = lines.map(({ id, from, to, label }) => {
    const edge = demand(laidOut.get(id), id);
    const box = readBox(demand(edge.labels?.[0], id));
    const [x, y, width] = box;
    const middle = x + width / 2;
    const points = readPoints(edge);
    return { from, to, points: from === to ? widenLoop(points, box) : points, label, labelAt: [middle, y] as const };
  });
  return {
    version,
    width: snap(root.width ?? 0),
    height: snap(root.height ?? 0),
    states: placeTitles(
      states.map((state) => ({ ...state, box: demand(boxes.get(state.path), state.path) })),
      edges,
    ),
    transitions,
    edges,
  };
}

function nest(states: readonly MachineState[], parent: string): ElkNode[] {
  return states
    .filter(({ path }) => path.slice(0, Math.max(0, path.lastIndexOf("."))) === parent)
    .map(({ path, kind }) => {
      const [width, height] = sizeLeaf({ kind, path });
      if (kind !== "compound") return { id: path, width, height };
      const [, , title] = boxTitle(path, [0, 0]);
      return {
        id: path,
        children: nest(states, path),
        layoutOptions: {
          "elk.padding": PADDING,
          "elk.nodeSize.constraints": "MINIMUM_SIZE",
          "elk.nodeSize.minimum": `(${roundUp(title + 16)}, 60)`,
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
  const [left, top] = [snap(x), snap(y)];
  return [left, top, snap(x + width) - left, snap(y + height) - top];
}

/** The corners of a line; ELK also has points on the straight, where the line crosses a state's border. */
function readPoints({ sections = [] }: ElkExtendedEdge): ChartEdge["points"] {
  const points = sections
    .flatMap(({ startPoint, bendPoints = [], endPoint }) => [startPoint, ...bendPoints, endPoint])
    .map(({ x, y }): Point => [snap(x), snap(y)]);
  return points.reduce<readonly Point[]>((corners, point) => {
    const before = corners.at(-2);
    const isStraight = [0, 1].some((axis) => [before, corners.at(-1)].every((each) => each?.[axis] === point[axis]));
    return [...(isStraight ? corners.slice(0, -1) : corners), point];
  }, []);
}

/** ELK puts the label of a loop beside it: such a loop goes around the half of its label that is nearer. */
function widenLoop(points: ChartEdge["points"], [left, top, width, height]: Box): ChartEdge["points"] {
  return points.map(([x, y], index) => [
    index === 0 || index === points.length - 1 ? x : left + width / 2,
    y < top + height / 2 ? y - UNIT : y + UNIT,
  ]);
}

/** The nearest place things are packed at; ELK's numbers of one line differ by their last digits. */
function snap(px: number): number {
  return Math.round(Math.round(px) / UNIT) * UNIT;
}

function demand<T>(found: T | undefined, name: string): T {
  if (found === undefined) throw new Error(`ELK laid out no "${name}"`);
  return found;
}
