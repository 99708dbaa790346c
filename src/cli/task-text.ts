/** Tasks as text: one line per task and checkpoint, indented by depth. Pure. */
import type { TaskState, TaskView } from "../engine/api.ts";

const MARKS: Record<TaskState, string> = {
  PENDING: "·",
  RUNNING: "▸",
  AWAITING_INPUT: "?",
  AWAITING_RETRY: "!",
  COMPLETED: "✓",
  SKIPPED: "-",
  FAILED: "✗",
  DISMISSED: "-",
  CANCELLED: "-",
};

const CHECKPOINT_MARKS = { REGISTERED: "·", COMPLETED: "✓", SKIPPED: "-", FAILED: "!" } as const;

/** A task tree as lines, the parent first. */
export function taskLines(task: TaskView, depth = 0): readonly string[] {
  const pad = "  ".repeat(depth);
  const lines = [`${pad}${taskLine(task)}`];
  for (const { message, state } of task.checkpoints) lines.push(`${pad}    ${CHECKPOINT_MARKS[state]} ${message}`);
  if (task.failure !== undefined) {
    lines.push(`${pad}    ${task.failure.code}: ${task.failure.message}`);
    for (const { label, value } of task.failure.context) lines.push(`${pad}      ${label}: ${value}`);
  }
  return [...lines, ...task.children.flatMap((child) => taskLines(child, depth + 1))];
}

/** One task without its checkpoints and children. */
export function taskLine(task: Omit<TaskView, "children" | "checkpoints">): string {
  const progress = task.state === "RUNNING" ? ` ${task.progress} %` : "";
  const waits = task.waitingFor === undefined ? "" : `, waits for ${task.waitingFor.kind}`;
  const marks = task.marks.length === 0 ? "" : ` [${task.marks.join(", ")}]`;
  return `${MARKS[task.state]} ${task.label}: ${task.state}${progress}${waits}${marks}`;
}

/** Whether nothing under a root task goes on without a person: its parts take turns, so one that waits stops all. */
export function isResting(task: TaskView): boolean {
  const ended: readonly TaskState[] = ["COMPLETED", "SKIPPED", "DISMISSED", "CANCELLED", "FAILED"];
  return ended.includes(task.state) || waitingTask(task) !== null;
}

/** The first task of a tree, in display order, that waits for a person. */
export function waitingTask(task: TaskView): TaskView | null {
  for (const child of task.children) {
    const found = waitingTask(child);
    if (found !== null) return found;
  }
  return task.state === "AWAITING_INPUT" || task.state === "AWAITING_RETRY" ? task : null;
}
