/** Which transitions a machine can take, and which it took, by its drawing alone. */
import type { Chart, ChartTransition } from "./chart.ts";

/** A way on from a state: the transition, and the innermost state it leads to. */
export interface Hop {
  readonly transition: ChartTransition;
  readonly leaf: string;
}

/** The paths of a state and of all around it, innermost first; the last, empty one is the machine's own. None of no state. */
export function listAround(path: string | null): readonly string[] {
  if (path === null) return [];
  const names = path.split(".");
  return [...names.map((_, index) => names.slice(0, names.length - index).join(".")), ""];
}

/** The transitions of a state itself, or of the whole machine (""), that lead nowhere. */
export function listStaying({ transitions }: Chart, path: string): readonly ChartTransition[] {
  return transitions.filter(({ from, to }) => from === path && to === null);
}

/** Every transition a state has, its own before those around it; none of an end, where the machine takes nothing any more. */
export function listExits({ states, transitions }: Chart, leaf: string): readonly ChartTransition[] {
  if (!leaf.includes(".") && states.some(({ path, kind }) => path === leaf && kind === "final")) return [];
  return listAround(leaf).flatMap((path) => transitions.filter(({ from }) => from === path));
}

/** The states one transition may lead to; several where it goes back to the last of some. */
export function listLandings({ states }: Chart, { to }: ChartTransition): readonly string[] {
  let at = states.find(({ path }) => path === to);
  if (at === undefined) return [];
  if (at.kind === "history") {
    const around = at.path.slice(0, at.path.lastIndexOf(".") + 1);
    return states.flatMap(({ path, kind }) => (path.startsWith(around) && isLeaf(kind) ? [path] : []));
  }
  while (at?.kind === "compound") {
    const inside: string = `${at.path}.`;
    at = states.find(
      ({ path, isInitial }) => isInitial && path.startsWith(inside) && !path.includes(".", inside.length),
    );
  }
  return at === undefined ? [] : [at.path];
}

function isLeaf(kind: Chart["states"][number]["kind"]): boolean {
  return kind === "atomic" || kind === "final";
}

/** Where a machine begins. */
export function findBeginning(chart: Chart): string | null {
  const [first] = chart.states.filter(({ path, isInitial }) => isInitial && !path.includes("."));
  return first === undefined
    ? null
    : (listLandings(chart, { from: "", to: first.path, on: "always", cause: "", text: "" })[0] ?? null);
}

/** The transitions an event may take in a state: the first without a condition hides those after it. */
export function listTaken(chart: Chart, leaf: string, cause: string): readonly ChartTransition[] {
  const fitting = listExits(chart, leaf).filter((each) => fits(each, cause));
  const sure = fitting.findIndex(({ guard }) => guard === undefined);
  return sure === -1 ? fitting : fitting.slice(0, sure + 1);
}

/** Whether an event, as the log names it, is the one of a transition. */
function fits({ on, cause: name }: ChartTransition, cause: string): boolean {
  if (on === "always") return false;
  if (on === "after") return cause.startsWith(`xstate.after.${name}.`);
  return name.endsWith("*") ? cause.startsWith(name.slice(0, -1)) : cause === name;
}

/** The ways on that need no event. */
export function listAlways(chart: Chart, leaf: string): readonly Hop[] {
  return toHops(
    chart,
    listExits(chart, leaf).filter(({ on }) => on === "always"),
  );
}

/** The transitions with each state they may lead to. */
export function toHops(chart: Chart, transitions: readonly ChartTransition[]): readonly Hop[] {
  return transitions.flatMap((transition) => listLandings(chart, transition).map((leaf) => ({ transition, leaf })));
}
