/** Writes a chart the way `packed-chart.ts` reads it. */
import type { Box, Chart, ChartEdge } from "../../../src/web/elements/machine/chart.ts";
import type {
  PackedChart,
  PackedEdge,
  PackedPlaces,
  PackedTransition,
} from "../../../src/web/elements/machine/packed-chart.ts";

/** Packs the words of a chart. */
export function packChart({ states, transitions, edges: _, ...size }: Chart): PackedChart {
  const indexes = new Map(states.map(({ path }, at) => [path, at]));
  const listFrom = (source: string): readonly PackedTransition[] =>
    transitions
      .filter(({ from }) => from === source)
      .map(({ on, cause, to, text, guard }) => {
        const packed = [on, cause, to === null ? null : (indexes.get(to) ?? null), text] as const;
        return guard === undefined || on === "always" ? packed : [...packed, guard];
      });
  return {
    ...size,
    transitions: listFrom(""),
    states: states.map(({ path, kind, isInitial, text, title }) => {
      const names = path.split(".");
      const listed = listFrom(path);
      const name = names.at(-1) ?? "";
      const state = [name, names.length - 1, kind, isInitial ? 1 : 0, text, listed] as const;
      return title === undefined ? state : [...state, title];
    }),
  };
}

/** Packs where its parts are. Throws for a line that is not at right angles or is from no state. */
export function packPlaces({ states, edges }: Chart): PackedPlaces {
  const boxes = new Map(states.map(({ path, box }) => [path, box]));
  return { boxes: [...boxes.values()], edges: edges.map((edge) => packEdge(edge, boxes.get(edge.from))) };
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
    steps.push(goesDown ? toY - fromY : toX - fromX);
    [fromX, fromY] = [toX, toY];
  }
  return [x - left, y - top, labelX - x, labelY - y, ...steps];
}
