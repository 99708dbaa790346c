/** Writes where the parts of a chart are, the way `place-machine.ts` reads it. */
import type { Box, Chart, ChartEdge } from "../../../src/web/elements/machine/chart.ts";
import {
  type PackedEdge,
  type PackedPlaces,
  TITLE_INSET,
  UNIT,
} from "../../../src/web/elements/machine/place-machine.ts";

/** Packs the places of a chart. Throws for a line that is not at right angles or is from no state. */
export function packPlaces({ version, width, height, states, edges }: Chart): PackedPlaces {
  const boxes = new Map(states.map(({ path, box }) => [path, box]));
  return {
    version,
    width: pack(width),
    height: pack(height),
    boxes: states.map(({ path, box: [left, top, wide, high], title }) => {
      const box = [pack(left), pack(top), pack(wide), pack(high)] as const;
      if (title === undefined) return box;
      if (title[1] !== top + TITLE_INSET) throw new Error(`the name of "${path}" is not in its head`);
      return [...box, pack(title[0] - left)];
    }),
    edges: edges.map((edge) => packEdge(edge, boxes.get(edge.from))),
  };
}

function packEdge({ from, to, points, labelAt: [labelX, labelY] }: ChartEdge, box: Box | undefined): PackedEdge {
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
  return [pack(x - left), pack(y - top), pack(labelX - x), pack(labelY - y), ...steps];
}

function pack(px: number): number {
  if (px % UNIT !== 0) throw new Error(`${px} px is between two places`);
  return px / UNIT;
}
