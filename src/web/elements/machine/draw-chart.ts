/** The drawing of a machine as SVG. */
import { nothing, type SVGTemplateResult, svg } from "lit";
import { type Chart, type ChartEdge, type ChartState, nameState } from "./chart.ts";
import { nameLine, type WayMarks } from "./follow-way.ts";
import { listAround } from "./routes.ts";

/** px of a rounded corner, and of an arrow's length and half its width. */
const CORNER = 6;
const ARROW = 8;
/** px from a label's top to its first line's foot, and between lines. */
const LABEL_FOOT = 11;
const LABEL_LINE = 15;

/** Draws a chart with the marks of a way; `now` is the word in the present state. */
export function drawChart(chart: Chart, marks: WayMarks, now: string): SVGTemplateResult {
  const around = marks.present === null ? [] : listAround(marks.present);
  const parents = chart.states.filter(({ kind }) => kind === "compound");
  const leaves = chart.states.filter(({ kind }) => kind !== "compound");
  const lines = chart.edges.map((edge) => ({
    edge,
    isTaken: marks.lines.has(nameLine(edge)),
    isExit: around.includes(edge.from),
  }));
  // What was taken and what may be is drawn last, over the others where they cross.
  const ordered = lines.toSorted((one, other) => rank(one) - rank(other));
  return svg`
    ${parents.map((state) => drawParent(state, around.includes(state.path)))}
    ${ordered.map(({ edge, isTaken, isExit }) => drawEdge(edge, isTaken, isExit))}
    ${leaves.map((state) => drawLeaf(state, marks, now))}
    ${parents.map(drawTitle)}`;
}

function rank({ isTaken, isExit }: { readonly isTaken: boolean; readonly isExit: boolean }): number {
  return Number(isTaken) + 2 * Number(isExit);
}

function drawParent({ box: [x, y, width, height] }: ChartState, isActive: boolean): SVGTemplateResult {
  return svg`<rect class="parent ${isActive ? "active" : ""}" x=${x} y=${y} width=${width} height=${height} rx="10"/>`;
}

function drawTitle({ path, title, isInitial, text }: ChartState): SVGTemplateResult {
  const [x, y] = title ?? [0, 0];
  return svg`<text class="title" x=${x + 4} y=${y + 15}>${isInitial ? "▸ " : nothing}${nameState(path)}<title>${text}</title></text>`;
}

function drawLeaf(state: ChartState, marks: WayMarks, now: string): SVGTemplateResult {
  const { path, kind, box, text, isInitial } = state;
  const [x, y, width, height] = box;
  const middle = x + width / 2;
  const orders = marks.orders.get(path) ?? [];
  const isPresent = path === marks.present;
  const classes = `state ${kind} ${orders.length > 0 ? "passed" : ""} ${isPresent ? "present" : ""}`;
  if (kind === "history") {
    return svg`<g class=${classes}><title>${text}</title>
      <circle cx=${middle} cy=${y + height / 2} r=${height / 2}/>
      <text class="name" x=${middle} y=${y + height / 2 + 5}>H</text></g>`;
  }
  const passed = orders.length === 0 ? "" : `${isPresent ? "" : "#"}${shorten(orders)}`;
  const below = [isPresent ? `● ${now}` : "", passed].filter((part) => part !== "").join(" ");
  return svg`<g class=${classes} data-state=${path}><title>${text}</title>
    <rect x=${x} y=${y} width=${width} height=${height} rx="8"/>
    ${kind === "final" ? svg`<rect class="inner" x=${x + 3} y=${y + 3} width=${width - 6} height=${height - 6} rx="6"/>` : nothing}
    <text class="name" x=${middle} y=${y + (below === "" ? height / 2 + 5 : 21)}>${isInitial ? "▸ " : nothing}${nameState(path)}</text>
    ${below === "" ? nothing : svg`<text class="order" x=${middle} y=${y + 37}>${below}</text>`}</g>`;
}

/** The last two of many. */
function shorten(orders: readonly number[]): string {
  return `${orders.length > 2 ? "… " : ""}${orders.slice(-2).join(", ")}`;
}

function drawEdge({ from, to, points, label, labelAt: [x, y] }: ChartEdge, isTaken: boolean, isExit: boolean) {
  const classes = `edge ${isTaken ? "taken" : ""} ${isExit ? "exit" : ""}`;
  return svg`<g class=${classes} data-line=${nameLine({ from, to })}>
    <path class="line" d=${bendPath(points)}/><path class="arrow" d=${pointArrow(points)}/>
    ${label.map(
      (line, index) =>
        svg`<text class="label ${line.startsWith("user.") ? "person" : ""}" x=${x + 3} y=${y + LABEL_FOOT + index * LABEL_LINE}>${line}</text>`,
    )}</g>`;
}

/** A line through points with rounded corners. */
export function bendPath(points: ChartEdge["points"]): string {
  return points
    .map(([x, y], index) => {
      if (index === 0) return `M${x} ${y}`;
      const next = points[index + 1];
      const before = points[index - 1];
      if (next === undefined || before === undefined) return `L${x} ${y}`;
      const [fromX, fromY] = step([x, y], before, CORNER);
      const [toX, toY] = step([x, y], next, CORNER);
      return `L${fromX} ${fromY}Q${x} ${y} ${toX} ${toY}`;
    })
    .join("");
}

/** The head of an arrow at the end of a line. */
export function pointArrow(points: ChartEdge["points"]): string {
  const end = points.at(-1) ?? [0, 0];
  const before = points.at(-2) ?? end;
  const [backX, backY] = step(end, before, ARROW);
  const [alongX, alongY] = [(backX - end[0]) / 2, (backY - end[1]) / 2];
  return `M${end[0]} ${end[1]}L${backX - alongY} ${backY + alongX}L${backX + alongY} ${backY - alongX}Z`;
}

/** A point `px` from one towards another, at most half the way. */
function step(
  [x, y]: readonly [number, number],
  [toX, toY]: readonly [number, number],
  px: number,
): readonly [number, number] {
  const length = Math.hypot(toX - x, toY - y);
  const part = length === 0 ? 0 : Math.min(px / length, 0.5);
  return [Math.round((x + (toX - x) * part) * 10) / 10, Math.round((y + (toY - y) * part) * 10) / 10];
}
