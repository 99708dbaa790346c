/** The drawing of a machine as SVG. */
import { nothing, type SVGTemplateResult, svg } from "lit";
import type { Words } from "../../ui/words.ts";
import { type Chart, type ChartEdge, type ChartState, LABEL_LINE, nameState } from "./chart.ts";
import { nameLine, type WayMarks } from "./follow-way.ts";
import { listAround, listStaying } from "./routes.ts";

/** px of a rounded corner, and of an arrow's length and half its width. */
const CORNER = 6;
const ARROW = 8;
/** px from a label's top to its first line's foot. */
const LABEL_FOOT = 11;

/** Draws a chart with the marks of a way; the ways on are those from the state that is looked at, else from the present one. */
export function drawChart(chart: Chart, marks: WayMarks, looked: string | undefined, words: Words): SVGTemplateResult {
  const around = listAround(marks.present);
  const leading = listAround(looked ?? marks.present);
  const parents = chart.states.filter(({ kind }) => kind === "compound");
  const leaves = chart.states.filter(({ kind }) => kind !== "compound");
  const lines = chart.edges.map((edge) => ({
    edge,
    isTaken: marks.lines.has(nameLine(edge)),
    isExit: leading.includes(edge.from),
  }));
  // What was taken and what may be is drawn last, over the others where they cross.
  const ordered = lines.toSorted((one, other) => rank(one) - rank(other));
  return svg`
    ${parents.map((state) => drawParent(state, around.includes(state.path)))}
    ${ordered.map(({ edge, isTaken, isExit }) => drawEdge(edge, isTaken, isExit))}
    ${leaves.map((state) => drawLeaf(state, marks, looked, nameIn(chart, state, words), words))}
    ${parents.map((state) => drawTitle(state, looked, nameIn(chart, state, words)))}`;
}

/** A state's name with how many events it takes without leaving, and its words for who points at it. */
function nameIn(chart: Chart, { path, text }: ChartState, words: Words): SVGTemplateResult {
  const { length } = listStaying(chart, path);
  return svg`${nameState(path)}${
    length === 0 ? nothing : svg`<tspan class="order" dx="6">+${length}</tspan>`
  }<title>${text}${length === 0 ? "" : ` · ${words.machine.stays(length)}`}</title>`;
}

/** The sign of a state its machine or parent begins in. */
function drawStart(x: number, y: number): SVGTemplateResult {
  return svg`<path class="start" d="M${x} ${y - 5}l7 5-7 5z"/>`;
}

function rank({ isTaken, isExit }: { readonly isTaken: boolean; readonly isExit: boolean }): number {
  return Number(isTaken) + 2 * Number(isExit);
}

function drawParent({ box: [x, y, width, height] }: ChartState, isActive: boolean): SVGTemplateResult {
  return svg`<rect class="parent ${isActive ? "active" : ""}" x=${x} y=${y} width=${width} height=${height} rx="10"/>`;
}

function drawTitle(
  { path, title, isInitial }: ChartState,
  looked: string | undefined,
  name: SVGTemplateResult,
): SVGTemplateResult {
  const [x, y] = title ?? [0, 0];
  return svg`<g class=${path === looked ? "looked" : ""} data-state=${path}>${isInitial ? drawStart(x + 4, y + 10) : nothing}
    <text class="title" x=${x + (isInitial ? 16 : 4)} y=${y + 15}>${name}</text></g>`;
}

function drawLeaf(
  state: ChartState,
  marks: WayMarks,
  looked: string | undefined,
  name: SVGTemplateResult,
  words: Words,
): SVGTemplateResult {
  const { path, kind, box, text, isInitial } = state;
  const [x, y, width, height] = box;
  const middle = x + width / 2;
  const orders = marks.orders.get(path) ?? [];
  const isPresent = path === marks.present;
  const classes = `state ${kind} ${orders.length > 0 ? "passed" : ""} ${isPresent ? "present" : ""} ${path === looked ? "looked" : ""}`;
  if (kind === "history") {
    return svg`<g class=${classes}><title>${text}</title>
      <circle cx=${middle} cy=${y + height / 2} r=${height / 2}/>
      <text class="name" x=${middle} y=${y + height / 2 + 5}>H</text></g>`;
  }
  const below = `${isPresent ? `${words.machine.now} ` : ""}${shorten(orders)}`;
  return svg`<g class=${classes} data-state=${path}>
    <rect x=${x} y=${y} width=${width} height=${height} rx="8"/>
    ${kind === "final" ? svg`<rect class="inner" x=${x + 3} y=${y + 3} width=${width - 6} height=${height - 6} rx="6"/>` : nothing}
    ${isInitial ? drawStart(x - 9, y + height / 2) : nothing}
    <text class="name" x=${middle} y=${y + (below === "" ? height / 2 + 5 : 21)}>${name}</text>
    ${below === "" ? nothing : svg`<text class="order" x=${middle} y=${y + 37}>${below}</text>`}</g>`;
}

/** The last two of many. */
function shorten(orders: readonly number[]): string {
  return orders.length === 0 ? "" : `#${orders.length > 2 ? "… " : ""}${orders.slice(-2).join(", ")}`;
}

function drawEdge({ from, to, points, label, labelAt: [x, y] }: ChartEdge, isTaken: boolean, isExit: boolean) {
  const path = bendPath(points);
  const classes = `edge ${isTaken ? "taken" : ""} ${isExit ? "exit" : ""}`;
  return svg`<g class=${classes} data-line=${nameLine({ from, to })}>
    <path class="near" d=${path}/><path class="line" d=${path}/><path class="arrow" d=${pointArrow(points)}/>
    ${label.map(
      (line, index) =>
        svg`<text class="label ${line.startsWith("user.") ? "person" : ""}" x=${x} y=${y + LABEL_FOOT + index * LABEL_LINE}>${line}</text>`,
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
