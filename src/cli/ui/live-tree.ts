import { showControlCharacters } from "../../core/report/plain-text.ts";
import { hasEnded } from "../../core/task-states.ts";
import type { TaskView } from "../../engine/api.ts";
import { findHeading, renderFailure, renderTask, renderTaskLine } from "./task-text.ts";
import { findScreen, type Terminal } from "./terminal.ts";

/** Shows a task while it changes. */
export interface TaskDisplay {
  show(task: TaskView): void;
  /** Leaves the last picture standing. */
  done(): void;
}

/** A tree redrawn in place in a terminal; a line per change where the output is piped or the terminal has no size. */
export async function createTaskDisplay(terminal: Terminal): Promise<TaskDisplay> {
  const { isTTY, rows } = terminal.stdout;
  return isTTY === true && rows !== 0 ? createLiveTree(terminal) : createChangeLines(terminal);
}

/** Shows nothing: for `--format json`. */
export const SILENT: TaskDisplay = { show: () => {}, done: () => {} };

async function createLiveTree(terminal: Terminal): Promise<TaskDisplay> {
  const { createLogUpdate } = await import("log-update");
  const draw = createLogUpdate(findScreen(terminal));
  return {
    show: (task) => draw(showControlCharacters(renderTask(task).join("\n"))),
    done: () => draw.done(),
  };
}

/** The end of a task comes after its checkpoints' and children's, also where one look saw all of them. */
function createChangeLines(terminal: Terminal): TaskDisplay {
  const shown = new Map<string, string>();
  function print(key: string, line: string): void {
    if (shown.get(key) === line) return;
    shown.set(key, line);
    terminal.stdout.write(`${line}\n`);
  }
  function printTask(task: TaskView, pad: string): void {
    print(task.id, `${pad}${renderTaskLine(task)}`);
    if (task.failure !== undefined) print(`${task.id}!`, renderFailure(task, `${pad}  `).join("\n"));
  }
  function show(task: TaskView, depth: number): void {
    const pad = "  ".repeat(depth);
    if (!hasEnded(task.state)) printTask(task, pad);
    for (const { id, message, state } of task.checkpoints) {
      if (state !== "REGISTERED") print(`${task.id}/${id}`, `${pad}  ${state.toLowerCase()}: ${message}`);
    }
    for (const [at, child] of task.children.entries()) {
      const heading = findHeading(task.children, at);
      if (heading !== null) print(`${task.id}/${heading}`, `${pad}  ${heading}`);
      show(child, depth + 1);
    }
    if (hasEnded(task.state)) printTask(task, pad);
  }
  return { show: (task) => show(task, 0), done: () => {} };
}
