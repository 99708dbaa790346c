/** Finds a place for the name of a state that holds others: in its head, where no line goes through. */
import {
  type Box,
  type ChartEdge,
  type ChartState,
  LABEL_LINE,
  nameState,
  type Point,
} from "../../../src/web/elements/machine/chart.ts";
import { LETTER, TITLE_INSET } from "../../../src/web/elements/machine/place-machine.ts";

/** px a letter of a label takes (11 px, of one width). */
const LABEL_LETTER = 6.8;
const TITLE_HEIGHT = 20;
/** px of the signs beside a name: of a first state, and of how many events a state takes without leaving. */
const SIGNS = 36;
/** px between a box and its title. */
const INSET = 8;
const STEP = 4;

/** Width and height of a line's label, in px. */
export function measureLabel(label: ChartEdge["label"]): readonly [width: number, height: number] {
  const letters = Math.max(...label.map(({ length }) => length));
  return [Math.ceil(letters * LABEL_LETTER) + 6, label.length * LABEL_LINE];
}

/** What a label covers. */
export function boxLabel({ label, labelAt: [middle, top] }: Pick<ChartEdge, "label" | "labelAt">): Box {
  const [width, height] = measureLabel(label);
  return [middle - width / 2, top, width, height];
}

/** What a state's name takes that begins there, with the signs beside it. */
export function boxTitle(path: string, [x, y]: Point): Box {
  return [x, y, nameState(path).length * LETTER + SIGNS, TITLE_HEIGHT];
}

/** Gives each state that holds others the place of its name. Throws where a head has none. */
export function placeTitles(
  states: readonly Omit<ChartState, "title">[],
  edges: readonly ChartEdge[],
): readonly ChartState[] {
  const covers = edges.flatMap((edge): Box[] => [...listSegments(edge.points), boxLabel(edge)]);
  return states.map((state) => ({
    ...state,
    ...(state.kind === "compound" && { title: findPlace(state, covers) }),
  }));
}

function findPlace({ path, box: [left, top, width] }: Omit<ChartState, "title">, covers: readonly Box[]): Point {
  const [, , needed] = boxTitle(path, [0, 0]);
  for (let x = left + INSET; x + needed <= left + width - INSET; x += STEP) {
    const place: Point = [x, top + TITLE_INSET];
    if (!covers.some((each) => overlaps(boxTitle(path, place), each))) return place;
  }
  throw new Error(`no place is free for the name of "${path}"`);
}

/** The straight parts of a line, as boxes without width or height. */
export function listSegments(points: ChartEdge["points"]): readonly Box[] {
  return points.slice(1).map(([x, y], index) => {
    const [fromX, fromY] = points[index] ?? [x, y];
    return [Math.min(x, fromX), Math.min(y, fromY), Math.abs(x - fromX), Math.abs(y - fromY)];
  });
}

/** Whether two boxes share more than their edges. */
export function overlaps([x, y, width, height]: Box, [left, top, wide, high]: Box): boolean {
  return x < left + wide && left < x + width && y < top + high && top < y + height;
}
