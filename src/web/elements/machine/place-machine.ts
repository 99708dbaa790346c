/**
 * Where the parts of a machine are drawn, as `charts.json` has it, so that a browser loads little: lines begin in the boxes
 * of their states, and corners are steps from the ones before. What the machine is the engine says.
 * `scripts/documents/charts/pack-places.ts` writes it.
 */
import type { Machine } from "../../api/types.ts";
import { type Box, type Chart, type ChartEdge, type ChartState, groupLines } from "./chart.ts";

/** px from the top of a state that holds others to the top of its name. */
export const TITLE_INSET = 8;

/** px of a place in `charts.json`: small numbers compress well. */
export const UNIT = 4;

export interface PackedPlaces {
  /** Of the machine that was laid out. */
  readonly version: number;
  readonly width: number;
  readonly height: number;
  /** Of its states, in their order; of one that holds others also how far to the right its name begins. */
  readonly boxes: readonly (readonly [...Box, title?: number])[];
  /** In the order of `groupLines`. */
  readonly edges: readonly PackedEdge[];
}

/** Where the line begins in its state's box, its label from there, and its steps: down, right, down and so on. */
export type PackedEdge = readonly [x: number, y: number, labelX: number, labelY: number, ...steps: number[]];

/** Puts the parts of a machine in their places; undefined where those are of another machine than the engine's. */
export function placeMachine(machine: Machine, places: PackedPlaces): Chart | undefined {
  const { version, states, transitions } = machine;
  const { width, height, boxes, edges } = places;
  const lines = groupLines(transitions);
  if (version !== places.version || states.length !== boxes.length || lines.length !== edges.length) return undefined;
  const placed = states.map((state, at): ChartState => {
    const [left = 0, top = 0, wide = 0, high = 0, title] = [...(boxes[at] ?? [])].map((place = 0) => place * UNIT);
    const box: Box = [left, top, wide, high];
    return { ...state, box, ...(title !== undefined && { title: [left + title, top + TITLE_INSET] }) };
  });
  const boxOf = new Map(placed.map(({ path, box }) => [path, box]));
  return {
    version,
    width: width * UNIT,
    height: height * UNIT,
    states: placed,
    transitions,
    edges: lines.flatMap((line, at) => {
      const edge = edges[at];
      const box = boxOf.get(line.from);
      return edge === undefined || box === undefined ? [] : [{ ...line, ...unpackEdge(edge, box) }];
    }),
  };
}

function unpackEdge(packed: PackedEdge, [left, top]: Box): Pick<ChartEdge, "points" | "labelAt"> {
  const [fromLeft = 0, fromTop = 0, labelX = 0, labelY = 0, ...steps] = packed.map((place) => place * UNIT);
  const [x, y] = [left + fromLeft, top + fromTop];
  const at: [x: number, y: number] = [x, y];
  const corners = steps.map((step, index) => {
    at[index % 2 === 0 ? 1 : 0] += step;
    return [...at] as const;
  });
  // A line that begins to the side has a first step of nothing.
  return { points: [[x, y], ...corners.slice(steps[0] === 0 ? 1 : 0)], labelAt: [x + labelX, y + labelY] };
}
