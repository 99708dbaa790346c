/** What a list says of a tree: worked out once for each state of it. Pure. */
import type { Task, TaskEvent } from "../api/types.ts";

/** Where a tree stands in the list of activities. */
export type Group = "asks" | "runs" | "finished";

export interface TaskSummary {
  readonly group: Group;
  /** The tasks of the tree that ask a person, in the order of the tree: the first is shown in the row. */
  readonly asking: readonly Task[];
  /** The innermost tasks at work. */
  readonly working: readonly Task[];
}

const FINAL: ReadonlySet<Task["state"]> = new Set(["COMPLETED", "SKIPPED", "DISMISSED", "CANCELLED"]);

/** By the tree itself: a change makes it another object. */
const known = new WeakMap<Task, TaskSummary>();

export function summarize(root: Task): TaskSummary {
  const found = known.get(root) ?? work(root);
  known.set(root, found);
  return found;
}

/** Whether nothing leads out of the task's state. */
export function isFinished({ state }: Pick<Task, "state">): boolean {
  return FINAL.has(state);
}

/** Whether an app may be free now, or taken: a root task begins, fails or ends. */
export function isTurn({ type, taskId, task }: TaskEvent): boolean {
  return taskId === task.id && (type === "task.created" || task.state === "FAILED" || isFinished(task));
}

/** Whether a person is asked about this very task: a parent that waits for one of its own is asked through that one. */
export function asksPerson({ commands }: Task): boolean {
  return commands.includes("input") || commands.includes("retry");
}

function work(root: Task): TaskSummary {
  const asking = [...walk(root)].filter(asksPerson);
  const working = [...walk(root)].filter((task) => task.state === "RUNNING" && !task.children.some(isAtWork));
  return { group: isFinished(root) ? "finished" : asking.length > 0 ? "asks" : "runs", asking, working };
}

function isAtWork(task: Task): boolean {
  return task.state === "RUNNING" || task.children.some(isAtWork);
}

/** The task and those under it, each before its own. */
export function* walk(task: Task): Generator<Task> {
  yield task;
  for (const child of task.children) yield* walk(child);
}
