/**
 * A chart as `charts.json` has it, so that a browser loads little: nothing is said twice, lines begin in the boxes of their
 * states, and corners are steps from the ones before. `scripts/documents/charts/pack-chart.ts` writes it.
 */
import { type Box, type Chart, type ChartEdge, type ChartState, type ChartTransition, groupLines } from "./chart.ts";

export interface PackedChart {
  readonly version: number;
  readonly width: number;
  readonly height: number;
  /** Those every state has. */
  readonly transitions: readonly PackedTransition[];
  readonly states: readonly PackedState[];
}

/** Where the parts of a chart are: apart from the words of all charts, since words compress best among words. */
export interface PackedPlaces {
  /** Of the states. */
  readonly boxes: readonly Box[];
  /** In the order of `groupLines`. */
  readonly edges: readonly PackedEdge[];
}

/** `around`: how many states it is within; they stand before it. */
export type PackedState = readonly [
  name: string,
  around: number,
  kind: ChartState["kind"],
  isInitial: 0 | 1,
  text: string,
  transitions: readonly PackedTransition[],
  title?: ChartState["title"],
];

/** `to`: the target's index; null where it stays. The guard of `always` is its cause. */
export type PackedTransition = readonly [
  on: ChartTransition["on"],
  cause: string,
  to: number | null,
  text: string,
  guard?: string,
];

/** Where the line begins in its state's box, its label from there, and its steps: down, right, down and so on. */
export type PackedEdge = readonly [x: number, y: number, labelX: number, labelY: number, ...steps: number[]];

/** Reads a chart. */
export function unpackChart({ version, width, height, ...packed }: PackedChart, { boxes, edges }: PackedPlaces): Chart {
  const around: string[] = [];
  const paths = packed.states.map(([name, depth]) => {
    around.splice(depth, around.length, name);
    return around.join(".");
  });
  const unpackTransitions = (from: string, listed: readonly PackedTransition[]): readonly ChartTransition[] =>
    listed.map(([on, cause, to, text, guard = on === "always" ? cause : ""]) => ({
      from,
      to: to === null ? null : (paths[to] ?? null),
      on,
      cause,
      ...(guard !== "" && { guard }),
      text,
    }));
  const transitions = [
    ...unpackTransitions("", packed.transitions),
    ...packed.states.flatMap(([, , , , , listed], at) => unpackTransitions(paths[at] ?? "", listed)),
  ];
  return {
    version,
    width,
    height,
    states: packed.states.map(([, , kind, isInitial, text, , title], at) => ({
      path: paths[at] ?? "",
      kind,
      isInitial: isInitial === 1,
      text,
      box: boxes[at] ?? [0, 0, 0, 0],
      ...(title !== undefined && { title }),
    })),
    transitions,
    edges: groupLines(transitions).flatMap((line, at) => {
      const edge = edges[at];
      const box = boxes[paths.indexOf(line.from)];
      return edge === undefined || box === undefined ? [] : [{ ...line, ...unpackEdge(edge, box) }];
    }),
  };
}

function unpackEdge(
  [fromLeft, fromTop, labelX, labelY, ...steps]: PackedEdge,
  [left, top]: Box,
): Pick<ChartEdge, "points" | "labelAt"> {
  const [x, y] = [left + fromLeft, top + fromTop];
  const at: [x: number, y: number] = [x, y];
  const corners = steps.map((step, index) => {
    at[index % 2 === 0 ? 1 : 0] += step;
    return [...at] as const;
  });
  // A line that begins to the side has a first step of nothing.
  return { points: [[x, y], ...corners.slice(steps[0] === 0 ? 1 : 0)], labelAt: [x + labelX, y + labelY] };
}
