/** A machine as it is drawn: `npm run charts` lays it out and writes its places to `charts.json`. */
import type { Machine, MachineState } from "../../api/types.ts";

/** px at full size, from the left and the top. */
export type Point = readonly [x: number, y: number];

/** px from a line of a label to the next one. */
export const LABEL_LINE = 15;

/** Left, top, width and height, in px at full size. */
export type Box = readonly [x: number, y: number, width: number, height: number];

export interface ChartState extends MachineState {
  readonly box: Box;
  /** Of a compound state where its name begins: a place no line crosses. */
  readonly title?: Point;
}

export type ChartTransition = Machine["transitions"][number];

/** All transitions of one state to another. */
export interface ChartLine {
  readonly from: string;
  readonly to: string;
  /** What leads along it, one a line. */
  readonly label: readonly string[];
}

/** A line of the drawing. */
export interface ChartEdge extends ChartLine {
  /** Corners, the arrow at the last one. */
  readonly points: readonly Point[];
  /** Middle and top of the label, which stands on a part of the line that goes up or down. */
  readonly labelAt: Point;
}

export interface Chart {
  readonly version: number;
  /** px. */
  readonly width: number;
  readonly height: number;
  readonly states: readonly ChartState[];
  readonly transitions: readonly ChartTransition[];
  readonly edges: readonly ChartEdge[];
}

/** A state's own name as people read it: `ACTIVE.AT_CHECKPOINT` is `At checkpoint`. */
export function nameState(path: string): string {
  const name = path.slice(path.lastIndexOf(".") + 1).replaceAll("_", " ");
  return `${name.slice(0, 1)}${name.slice(1).toLowerCase()}`;
}

/** Whether a person causes it: the event is a command of a person. */
export function isOfPerson({ on, cause }: Pick<ChartTransition, "on" | "cause">): boolean {
  return on === "event" && cause.startsWith("user.");
}

/** What stands at a transition's line. */
export function nameCause({ on, cause, guard }: ChartTransition): string {
  const condition = guard === undefined ? "" : ` [${guard}]`;
  if (on === "always") return guard === undefined ? "always" : `[${guard}]`;
  return `${on === "after" ? `after ${cause}` : cause}${condition}`;
}

/** One line from a state to another, whatever number of transitions leads along it; the machine's own are not drawn. */
export function groupLines(transitions: Chart["transitions"]): readonly ChartLine[] {
  const lines = new Map<string, ChartLine>();
  for (const transition of transitions) {
    const { from, to } = transition;
    if (from === "" || to === null) continue;
    const way = `${from} ${to}`;
    const label = [...(lines.get(way)?.label ?? []), nameCause(transition)];
    lines.set(way, { from, to, label: [...new Set(label)] });
  }
  return [...lines.values()];
}
