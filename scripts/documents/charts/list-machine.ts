/** A machine's states and transitions as a flat list, in the order of its literal. */
import type { AnyStateMachine } from "xstate";
import type { ChartState, ChartTransition } from "../../../src/web/elements/machine/chart.ts";

type StateNode = AnyStateMachine["root"];
type Transition = StateNode["always"] extends readonly (infer T)[] | undefined ? T : never;

/** A state before it is laid out. */
export type ListedState = Omit<ChartState, "box" | "title">;

/** Lists the states below the root. Throws for a parallel state, of which none is drawn. */
export function listStates(machine: AnyStateMachine): readonly ListedState[] {
  return listBelow(machine.root);
}

function listBelow(parent: StateNode): readonly ListedState[] {
  if (parent.type === "parallel") throw new Error(`"${parent.id}" is parallel: the drawing has one state at a time`);
  const children: readonly StateNode[] = Object.values(parent.states);
  const first = parent.initial?.target[0];
  return children.flatMap((child) => [
    {
      path: child.path.join("."),
      kind: readKind(child),
      isInitial: child === first,
      text: child.description ?? "",
    },
    ...listBelow(child),
  ]);
}

function readKind({ type, id }: StateNode): ListedState["kind"] {
  if (type === "parallel") throw new Error(`"${id}" is parallel: the drawing has one state at a time`);
  return type;
}

/** Lists the transitions of every state, the root's among them. */
export function listTransitions(machine: AnyStateMachine): readonly ChartTransition[] {
  return listFrom(machine.root);
}

function listFrom(node: StateNode): readonly ChartTransition[] {
  const events = [...node.transitions].flatMap(([event, transitions]) =>
    event.startsWith("xstate.after.") ? [] : transitions.map((each) => read(node, "event", event, each)),
  );
  const delays = node.after.map((each) => read(node, "after", String(each.delay), each));
  const always = (node.always ?? []).map((each) => read(node, "always", readName(each.guard) ?? "", each));
  const children: readonly StateNode[] = Object.values(node.states);
  return [...events, ...delays, ...always, ...children.flatMap(listFrom)];
}

function read(from: StateNode, on: ChartTransition["on"], cause: string, each: Transition): ChartTransition {
  const guard = readName(each.guard);
  return {
    from: from.path.join("."),
    to: each.target?.[0]?.path.join(".") ?? null,
    on,
    cause,
    ...(guard !== undefined && { guard }),
    text: each.description ?? "",
  };
}

/** A guard's name: a text, or `type` of one with parameters. */
function readName(guard: unknown): string | undefined {
  if (typeof guard === "string") return guard;
  if (typeof guard !== "object" || guard === null || !("type" in guard)) return undefined;
  return String(guard.type);
}
