/** A lifecycle's children, which take turns in the order planned. Pure. */
import { isChildOver } from "../../src/core/task-states.ts";
import type { LifecycleContext } from "./context.ts";
import type { PlannedChild } from "./planned-child.ts";

type WithChildren = Pick<LifecycleContext, "input" | "children">;

/** Every child that has not come to its end, in order. */
export function listUnendedChildren({ input, children }: WithChildren): readonly PlannedChild[] {
  return (input.children ?? []).filter(({ id }) => {
    const state = children[id];
    return state === undefined || !isChildOver(state);
  });
}

/** What the child whose turn has come needs and is not there; null where nothing keeps it from beginning. */
export function findMissingNeed(context: WithChildren, phase: PlannedChild["phase"]): string | null {
  const isMissing = (id: string) => {
    const state = context.children[id];
    return state !== undefined && isChildOver(state) && state !== "COMPLETED";
  };
  return findDueChild(context, phase)?.needs?.find(isMissing) ?? null;
}

/** The child of the phase whose turn has come and that was not told to start; null while another is at work. */
export function findDueChild(context: WithChildren, phase: PlannedChild["phase"]): PlannedChild | null {
  const [first] = listUnendedChildren(context).filter((child) => child.phase === phase);
  return first === undefined || context.children[first.id] !== undefined ? null : first;
}
