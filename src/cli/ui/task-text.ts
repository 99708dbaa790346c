/** Tasks as text: one line per task and checkpoint, indented by depth. Pure. */
import { explain } from "../../core/codes/codes.ts";
import { hasEnded, isAwaiting } from "../../core/task-states.ts";
import type { TaskState, TaskView } from "../../engine/api.ts";

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
export function renderTask(task: TaskView, depth = 0): readonly string[] {
  const pad = "  ".repeat(depth);
  const lines = [`${pad}${renderTaskLine(task)}`];
  for (const { message, state } of task.checkpoints) lines.push(`${pad}    ${CHECKPOINT_MARKS[state]} ${message}`);
  lines.push(...renderFailure(task, `${pad}    `));
  const children = task.children.flatMap((child, at) => {
    const heading = findHeading(task.children, at);
    return [...(heading === null ? [] : [`${pad}  ${heading}`]), ...renderTask(child, depth + 1)];
  });
  return [...lines, ...children];
}

/** The heading that stands before a task among its siblings; null where the one before it has the same, or it has none. */
export function findHeading(siblings: readonly Pick<TaskView, "group">[], at: number): string | null {
  const { group } = siblings[at] ?? {};
  return group === undefined || siblings[at - 1]?.group === group ? null : group;
}

/** A task's failure with its diagnosis and, while somebody can still do something, what to do. */
export function renderFailure({ state, failure }: Pick<TaskView, "state" | "failure">, pad: string): readonly string[] {
  if (failure === undefined) return [];
  const { code, message, context } = failure;
  const details = context.map(({ label, value }) => `  ${label}: ${value.replaceAll("\n", `\n${pad}    `)}`);
  const hint = state === "SKIPPED" || state === "DISMISSED" ? [] : [`  hint: ${explain(code).hint}`];
  return [`${code}: ${message}`, ...details, ...hint].map((line) => `${pad}${line}`);
}

/** One task without its checkpoints and children. */
export function renderTaskLine(task: Omit<TaskView, "children" | "checkpoints">): string {
  const progress = task.state === "RUNNING" ? ` ${task.progress} %` : "";
  const waits = task.waitingFor === undefined ? "" : `, waits for ${task.waitingFor.kind}`;
  const marks = task.marks.length === 0 ? "" : ` [${task.marks.join(", ")}]`;
  return `${MARKS[task.state]} ${task.label}: ${task.state}${progress}${waits}${marks}`;
}

/** Whether nothing under a root task goes on without a person: its parts take turns, so one that waits stops all. */
export function isResting(task: TaskView): boolean {
  return hasEnded(task.state) || findWaitingTask(task) !== null;
}

/** The first task of a tree, in display order, that waits for a person. */
export function findWaitingTask(task: TaskView): TaskView | null {
  for (const child of task.children) {
    const found = findWaitingTask(child);
    if (found !== null) return found;
  }
  return isAwaiting(task.state) ? task : null;
}
