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
  return isTTY === true && rows !== 0 ? createLiveTree(terminal) : new ChangeLines(terminal);
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
class ChangeLines implements TaskDisplay {
  readonly #terminal: Terminal;
  readonly #shown = new Map<string, string>();

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  show(task: TaskView): void {
    this.#showBelow(task, 0);
  }

  done(): void {}

  #showBelow(task: TaskView, depth: number): void {
    const pad = "  ".repeat(depth);
    if (!hasEnded(task.state)) this.#printTask(task, pad);
    for (const { id, message, state } of task.checkpoints) {
      if (state !== "REGISTERED") this.#print(`${task.id}/${id}`, `${pad}  ${state.toLowerCase()}: ${message}`);
    }
    for (const [at, child] of task.children.entries()) {
      const heading = findHeading(task.children, at);
      if (heading !== null) this.#print(`${task.id}/${heading}`, `${pad}  ${heading}`);
      this.#showBelow(child, depth + 1);
    }
    if (hasEnded(task.state)) this.#printTask(task, pad);
  }

  #printTask(task: TaskView, pad: string): void {
    this.#print(task.id, `${pad}${renderTaskLine(task)}`);
    if (task.failure !== undefined) this.#print(`${task.id}!`, renderFailure(task, `${pad}  `).join("\n"));
  }

  #print(key: string, line: string): void {
    if (this.#shown.get(key) === line) return;
    this.#shown.set(key, line);
    this.#terminal.stdout.write(`${line}\n`);
  }
}
