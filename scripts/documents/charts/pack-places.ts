/** Writes where the parts of a chart are, the way `place-machine.ts` reads it. */
import type { Box, Chart, ChartEdge, ChartState } from "../../../src/web/elements/machine/chart.ts";
import {
  findLabel,
  type PackedBox,
  type PackedEdge,
  type PackedParts,
  type PackedPlaces,
  sizeLeaf,
  TITLE_INSET,
  UNIT,
} from "../../../src/web/elements/machine/place-machine.ts";

const NOWHERE: Box = [0, 0, 0, 0];

/** Packs the places of a chart. Throws for a line that is not at right angles or is from no state. */
export function packPlaces({ version, width, height, states, edges }: Chart): PackedPlaces {
  const boxes = new Map(states.map(({ path, box }) => [path, box]));
  const parts: PackedParts = [
    [pack(width), pack(height)],
    ...states.map((state, at) => packBox(state, states[at - 1]?.box)),
    ...edges.map((edge) => packEdge(edge, boxes.get(edge.from))),
  ];
  return [version, ...parts.map((part) => part.map((place = 0) => place.toString(36)).join())].join(" ");
}

function packBox(state: ChartState, [fromLeft, fromTop] = NOWHERE): PackedBox {
  const { path, box, title } = state;
  const [left, top, wide, high] = box;
  const at = [pack(left - fromLeft), pack(top - fromTop)] as const;
  if (title === undefined) {
    if (`${sizeLeaf(state)}` !== `${[wide, high]}`) throw new Error(`"${path}" is larger than it is drawn`);
    return at;
  }
  if (title[1] !== top + TITLE_INSET) throw new Error(`the name of "${path}" is not in its head`);
  return [...at, pack(wide), pack(high), pack(title[0] - left)];
}

function packEdge({ from, to, points, label, labelAt: [middle, labelY] }: ChartEdge, box: Box | undefined): PackedEdge {
  if (box === undefined) throw new Error(`the line from "${from}" to "${to}" begins nowhere`);
  const [left, top] = box;
  const [[x, y] = [0, 0], ...corners] = points;
  let [fromX, fromY] = [x, y];
  const steps: number[] = [];
  for (const [toX, toY] of corners) {
    const goesDown = toX === fromX;
    if (!goesDown && toY !== fromY) throw new Error(`the line from "${from}" to "${to}" is not at right angles`);
    if (goesDown !== (steps.length % 2 === 0)) steps.push(0);
    steps.push(pack(goesDown ? toY - fromY : toX - fromX));
    [fromX, fromY] = [toX, toY];
  }
  if (findLabel(points, label, labelY) !== middle)
    throw new Error(`the line from "${from}" to "${to}" misses its label`);
  return [pack(x - left), pack(y - top), pack(labelY - y), ...steps];
}

function pack(px: number): number {
  if (px % UNIT !== 0) throw new Error(`${px} px is between two places`);
  return px / UNIT;
}
