/**
 * Where the parts of a machine are drawn, as `charts.json` has it, so that a browser loads little: states are so far from the
 * ones before, lines begin in the boxes of their states, and corners are steps. What the machine is the engine says.
 * `scripts/documents/charts/pack-places.ts` writes it.
 */
import type { Machine } from "../../api/types.ts";
import { type Box, type Chart, type ChartEdge, type ChartState, groupLines, LABEL_LINE, nameState } from "./chart.ts";

/** px from the top of a state that holds others to the top of its name. */
export const TITLE_INSET = 8;

/** px of a place in `charts.json`: small numbers compress well. */
export const UNIT = 4;

/** px a letter of a state's name (14 px) takes at most. */
export const LETTER = 9;

/**
 * The places of a machine: words of numbers to the base of 36, after the version that was laid out those of `PackedParts`.
 */
export type PackedPlaces = string;

/** Width and height of the drawing, then the boxes of the states in their order, then the lines in that of `groupLines`. */
export type PackedParts = readonly [
  sheet: readonly [width: number, height: number],
  ...parts: (PackedBox | PackedEdge)[],
];

/** How far left and top are from those of the state before; of a state that holds others its size and how far right its name begins. */
export type PackedBox = readonly [x: number, y: number, width?: number, height?: number, title?: number];

/** Where the line begins in its state's box, how far below its label, and its steps: down, right, down and so on. */
export type PackedEdge = readonly [x: number, y: number, labelY: number, ...steps: number[]];

/** Puts the parts of a machine in their places; undefined where those are of another machine than the engine's. */
export function placeMachine(machine: Machine, places: PackedPlaces): Chart | undefined {
  const { version, states, transitions } = machine;
  const lines = groupLines(transitions);
  const [laidOut, ...words] = places.split(" ");
  const [[width = 0, height = 0] = [], ...parts] = words.map((word) =>
    word.split(",").map((place) => Number.parseInt(place, 36) * UNIT),
  );
  if (laidOut !== `${version}` || parts.length !== states.length + lines.length) return undefined;
  let [left, top] = [0, 0];
  const placed = states.map((state, at): ChartState => {
    const [right = 0, down = 0, ...size] = parts[at] ?? [];
    left += right;
    top += down;
    const [wide = 0, high = 0, title] = size.length === 0 ? sizeLeaf(state) : size;
    const box: Box = [left, top, wide, high];
    return { ...state, box, ...(title !== undefined && { title: [left + title, top + TITLE_INSET] }) };
  });
  const edges = lines.map((line, at): ChartEdge => {
    const box = placed.find(({ path }) => path === line.from)?.box;
    return { ...line, ...unpackEdge(parts[states.length + at] ?? [], box ?? [0, 0, 0, 0], line.label) };
  });
  return { version, width, height, states: placed, transitions, edges };
}

/** Width and height of a state that holds no others, in px. */
export function sizeLeaf({ kind, path }: Pick<ChartState, "kind" | "path">): readonly [width: number, height: number] {
  return kind === "history" ? [32, 32] : [Math.max(96, roundUp(nameState(path).length * LETTER + 34)), 48];
}

/** A length whose half is a place, too: things are laid out by their middles. */
export function roundUp(px: number): number {
  return Math.ceil(px / (4 * UNIT)) * 4 * UNIT;
}

function unpackEdge(
  packed: readonly number[],
  [left, top]: Box,
  label: ChartEdge["label"],
): Pick<ChartEdge, "points" | "labelAt"> {
  const [fromLeft = 0, fromTop = 0, labelY = 0, ...steps] = packed;
  const [x, y] = [left + fromLeft, top + fromTop];
  const at: [x: number, y: number] = [x, y];
  const corners = steps.map((step, index) => {
    at[index % 2 === 0 ? 1 : 0] += step;
    return [...at] as const;
  });
  // A line that begins to the side has a first step of nothing.
  const points: ChartEdge["points"] = [[x, y], ...corners.slice(steps[0] === 0 ? 1 : 0)];
  return { points, labelAt: [findLabel(points, label, y + labelY), y + labelY] };
}

/** How far to the right a label is with its top there: on the first part of its line that goes down or up beside its middle. */
export function findLabel(points: ChartEdge["points"], label: ChartEdge["label"], top: number): number {
  const middle = top + (label.length * LABEL_LINE) / 2;
  const [x] =
    points.find(([x, y], at) => {
      const [toX, toY] = points[at + 1] ?? [x, y];
      return x === toX && (y - middle) * (toY - middle) < 0;
    }) ?? [];
  return x ?? 0;
}
