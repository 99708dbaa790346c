/** A machine's states and transitions as a flat list, in the order of its literal. */
import type { AnyStateMachine } from "xstate";
import type { MachineState, MachineTransition, MachineView } from "../api.ts";
import type { RegisteredMachine } from "../runtime/effect.ts";

type StateNode = AnyStateMachine["root"];
type Transition = StateNode["always"] extends readonly (infer T)[] | undefined ? T : never;

/** Shows a machine as it is drawn. Throws for a parallel state, of which none is drawn. */
export function viewMachine({
  id,
  version,
  machine,
}: Pick<RegisteredMachine, "id" | "version" | "machine">): MachineView {
  return { id, version, states: listBelow(machine.root), transitions: listFrom(machine.root) };
}

function listBelow(parent: StateNode): readonly MachineState[] {
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

function readKind({ type, id }: StateNode): MachineState["kind"] {
  if (type === "parallel") throw new Error(`"${id}" is parallel: the drawing has one state at a time`);
  return type;
}

function listFrom(node: StateNode): readonly MachineTransition[] {
  const events = [...node.transitions].flatMap(([event, transitions]) =>
    event.startsWith("xstate.after.") ? [] : transitions.map((each) => read(node, "event", event, each)),
  );
  const delays = node.after.map((each) => read(node, "after", String(each.delay), each));
  const always = (node.always ?? []).map((each) => read(node, "always", readName(each.guard) ?? "", each));
  const children: readonly StateNode[] = Object.values(node.states);
  return [...events, ...delays, ...always, ...children.flatMap(listFrom)];
}

function read(from: StateNode, on: MachineTransition["on"], cause: string, each: Transition): MachineTransition {
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
