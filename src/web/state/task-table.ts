/** The tasks a page knows, by the id of their root, and how lists and changes come together in them. Pure. */
import type { Task, TaskEvent } from "../api/types.ts";
import { isFinished } from "./task-summary.ts";

/** What became of a change: `unknown` is about a tree, or a part of one, that has to be read first. */
export type Applied = "applied" | "old" | "unknown";

interface Entry {
  readonly task: Task;
  /** Number of the change after which the tree looked so. */
  readonly seq: number;
}

export class TaskTable {
  readonly #entries = new Map<string, Entry>();

  /** Takes in trees as they were at `seq`; those that are known from later stay. */
  merge(tasks: readonly Task[], seq: number): void {
    for (const task of tasks) {
      const known = this.#entries.get(task.id);
      if (known === undefined || known.seq <= seq) this.#entries.set(task.id, { task, seq });
    }
  }

  /** Takes in the finished trees of a table of the same history that are missing here: nothing becomes of them any more. */
  keepFinished(before: TaskTable): void {
    for (const [id, entry] of before.#entries) {
      if (!this.#entries.has(id) && isFinished(entry.task)) this.#entries.set(id, entry);
    }
  }

  /** Takes in one change. A tree that changes becomes another object, all others stay the same. */
  apply({ seq, taskId, type, task }: TaskEvent): Applied {
    const known = this.#entries.get(taskId);
    if (known !== undefined && seq <= known.seq) return "old";
    const isNew = known === undefined && type === "task.created" && task.id === taskId;
    const next = isNew ? { ...task, children: [] } : known && placeTask(known.task, task);
    if (next === undefined) return "unknown";
    this.#entries.set(taskId, { task: next, seq });
    return "applied";
  }

  get(id: string): Task | undefined {
    return this.#entries.get(id)?.task;
  }

  /** All trees, newest first. */
  list(): readonly Task[] {
    return [...this.#entries.values()]
      .map(({ task }) => task)
      .sort((a, b) => (a.created < b.created ? 1 : a.created > b.created ? -1 : 0));
  }
}

/** The tree with the task at its place; undefined where its parent is not in the tree. */
function placeTask(tree: Task, changed: TaskEvent["task"]): Task | undefined {
  if (tree.id === changed.id) return { ...changed, children: tree.children };
  if (tree.id === changed.parent && !tree.children.some(({ id }) => id === changed.id)) {
    return { ...tree, children: [...tree.children, { ...changed, children: [] }] };
  }
  for (const [at, child] of tree.children.entries()) {
    const next = placeTask(child, changed);
    if (next !== undefined) return { ...tree, children: tree.children.with(at, next) };
  }
  return undefined;
}
