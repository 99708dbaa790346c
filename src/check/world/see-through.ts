/** Follows a task to its end, deciding what a person would be asked. */

import { isAwaiting } from "../../core/task-states.ts";
import type { Engine, TaskView } from "../../engine/api.ts";

/** What a person presses. */
export type Pressed = "retry" | "skip";

/**
 * The task at its end: what waits for a person is decided. One that can't take the decision is left as it is. Rejects with
 * the signal's reason.
 */
export async function seeThrough(
  engine: Engine,
  taskId: string,
  decide: (task: TaskView) => Pressed,
  signal: AbortSignal,
): Promise<TaskView> {
  for (;;) {
    const task = await engine.settled(taskId, signal);
    const waiting = findWaiting(task);
    if (waiting === null) return task;
    const pressed = decide(waiting);
    if (!waiting.commands.includes(pressed)) return task;
    await engine[pressed](waiting.id);
  }
}

/** Every task of a tree, the parent first. */
export function listTasks(task: TaskView): readonly TaskView[] {
  return [task, ...task.children.flatMap(listTasks)];
}

/** The hook that runs now, as a link too; null where none does. */
export function findHookAtWork(engine: Engine): string | null {
  const running = engine.tasks({ unfinished: true }).flatMap(listTasks);
  return running.find(({ hookId, state }) => hookId !== undefined && state === "RUNNING")?.hookId ?? null;
}

function findWaiting(task: TaskView): TaskView | null {
  return listTasks(task).findLast(({ state }) => isAwaiting(state)) ?? null;
}
