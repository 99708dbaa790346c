/**
 * Draws a machine as a Mermaid state diagram. Drawn from `machine.root`: `machine.definition` loses `always`
 *.
 */
import type { AnyStateMachine } from "xstate";

type StateNode = AnyStateMachine["root"];
type Transition = StateNode["always"] extends readonly (infer T)[] | undefined ? T : never;

/**
 * Mermaid text of a machine: every state, transition, guard and delay by its name. Transitions stand after the outermost
 * states: Mermaid draws a state inside the one it is first named in, and a transition may lead out.
 */
export function drawMachine(machine: AnyStateMachine): string {
  const anywhere = drawTransitions(machine.root);
  const lines = [
    ...drawInside(machine.root),
    ...drawTransitionsInside(machine.root),
    ...(anywhere.length === 0 ? [] : [`state "in any state" as ${readName(machine.root)}`, ...anywhere]),
  ];
  return ["stateDiagram-v2", ...lines.map((line) => `  ${line}`)].join("\n");
}

function drawInside(parent: StateNode): readonly string[] {
  const children: readonly StateNode[] = Object.values(parent.states);
  const first = parent.initial?.target[0];
  return [
    ...(first === undefined ? [] : [`[*] --> ${readName(first)}`]),
    ...children.flatMap((child, index) => [
      ...(index > 0 && parent.type === "parallel" ? ["--"] : []),
      ...drawState(child),
    ]),
  ];
}

function drawTransitionsInside(parent: StateNode): readonly string[] {
  const children: readonly StateNode[] = Object.values(parent.states);
  return children.flatMap((child) => [...drawTransitionsInside(child), ...drawTransitions(child)]);
}

function drawState(node: StateNode): readonly string[] {
  const inside = drawInside(node).map((line) => `  ${line}`);
  const block = inside.length === 0 ? [] : [`state ${readName(node)} {`, ...inside, "}"];
  const title = `state "${node.key}" as ${readName(node)}`;
  const effects = node.entry.map((action) => `${readName(node)} : entry / ${readType(action)}`);
  return [title, ...effects, ...block, ...(node.type === "final" ? [`${readName(node)} --> [*]`] : [])];
}

function drawTransitions(node: StateNode): readonly string[] {
  const events = [...node.transitions].flatMap(([event, transitions]) =>
    event.startsWith("xstate.after.") ? [] : transitions.map((transition) => draw(node, event, transition)),
  );
  const delays = node.after.map((transition) => draw(node, `after ${String(transition.delay)}`, transition));
  const always = (node.always ?? []).map((transition) => draw(node, "always", transition));
  return [...events, ...delays, ...always];
}

function draw(from: StateNode, cause: string, { target, guard, actions }: Transition): string {
  const to = target?.[0];
  const done = actions.length === 0 ? "" : ` / ${actions.map(readType).join(", ")}`;
  const text = `${cause}${guard === undefined ? "" : ` [${readType(guard)}]`}${done}`;
  // A transition without a target stays: shown as a line in its state.
  return to === undefined ? `${readName(from)} : ${text}` : `${readName(from)} --> ${readName(to)} : ${text}`;
}

/** State names are unique per machine only with their path; Mermaid takes word characters. */
function readName(node: StateNode): string {
  return node.path.join("_").replaceAll(/\W/g, "_") || "ANY";
}

/** The name of an action or guard; `raise` and its like are functions that carry theirs. */
function readType(action: unknown): string {
  if (typeof action === "string") return action;
  const named = (typeof action === "object" && action !== null) || typeof action === "function";
  return named && "type" in action ? String(action.type) : "inline";
}
