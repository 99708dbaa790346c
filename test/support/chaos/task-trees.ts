import { isAwaiting } from "../../../src/core/task-states.ts";
import type { Engine, TaskView } from "../../../src/engine/api.ts";

/** A task and everything under it. */
export function flat(task: TaskView): readonly TaskView[] {
  return [task, ...task.children.flatMap(flat)];
}

/** Whether a tree waits for a person somewhere. */
export function waitsForPerson(engine: Engine, rootId: string): boolean {
  const view = engine.task(rootId);
  return view !== null && flat(view).some(({ state }) => isAwaiting(state) || state === "FAILED");
}
