/** Follows a task to its end, deciding what a person would be asked. */

import { isAwaiting } from "../../core/task-states.ts";
import type { Engine, TaskView } from "../../engine/api.ts";

/**
 * The task at its end: what waits for a person is told, and skipped. One that can't be skipped is left as it is. Rejects
 * with the signal's reason.
 */
export async function seeThrough(
  engine: Engine,
  taskId: string,
  waits: (task: TaskView) => void,
  signal: AbortSignal,
): Promise<TaskView> {
  for (;;) {
    const task = await engine.settled(taskId, signal);
    const waiting = findWaiting(task);
    if (waiting === null) return task;
    waits(waiting);
    if (!waiting.commands.includes("skip")) return task;
    await engine.skip(waiting.id);
  }
}

/** Every task of a tree, the parent first. */
export function listTasks(task: TaskView): readonly TaskView[] {
  return [task, ...task.children.flatMap(listTasks)];
}

function findWaiting(task: TaskView): TaskView | null {
  return listTasks(task).findLast(({ state }) => isAwaiting(state)) ?? null;
}
