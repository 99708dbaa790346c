import { EngineError } from "../core/problems.ts";
import type { Engine, TaskState, TaskView } from "../engine/api.ts";
import { askDecision, askQuestion, canAsk } from "./ask.ts";
import { EXIT, type ExitCode } from "./exit.ts";
import { SILENT, type TaskDisplay, taskDisplay } from "./live-tree.ts";
import { waitingTask } from "./task-text.ts";
import type { Terminal } from "./terminal.ts";

/** The part of an engine that drives a task; a running service offers the same over HTTP. */
export type TaskDriver = Pick<Engine, "task" | "watch" | "settled" | "input" | "retry" | "skip" | "cancel" | "dismiss">;

/**
 * Shows a root task until it rests, asking the person at the terminal whenever only a person can go on; returns it as
 * it came to rest. Throws `CLI_INTERRUPTED` on SIGINT.
 */
export async function driveTask(engine: TaskDriver, rootId: string, terminal: Terminal, format: string): Promise<TaskView> {
  const display = format === "json" ? SILENT : taskDisplay(terminal);
  for (;;) {
    const task = await showUntilRest(engine, rootId, display, terminal);
    const waiting = waitingTask(task);
    if (waiting === null || format === "json" || !canAsk(terminal)) return task;
    display.done();
    await decide(engine, waiting, terminal);
  }
}

/** Exit code of a task at rest: 0 done, 1 failed or given up, 3 waiting for a person. */
export function exitCodeOf(task: TaskView): ExitCode {
  if (waitingTask(task) !== null) return EXIT.waiting;
  const done: readonly TaskState[] = ["COMPLETED", "SKIPPED"];
  return done.includes(task.state) ? EXIT.done : EXIT.failed;
}

async function showUntilRest(
  engine: TaskDriver,
  rootId: string,
  display: TaskDisplay,
  terminal: Terminal,
): Promise<TaskView> {
  const rested = new AbortController();
  const showing = (async () => {
    for await (const event of engine.watch(0, rested.signal)) {
      if (event.taskId !== rootId) continue;
      const task = engine.task(rootId);
      if (task !== null) display.show(task);
    }
  })();
  try {
    const task = await engine.settled(rootId, terminal.signal);
    display.show(task);
    return task;
  } catch (error) {
    if (!terminal.signal.aborted) throw error;
    throw new EngineError("CLI_INTERRUPTED", `interrupted while task "${rootId}" was running`, { taskId: rootId });
  } finally {
    rested.abort();
    await showing;
  }
}

async function decide(engine: TaskDriver, waiting: TaskView, terminal: Terminal): Promise<void> {
  if (waiting.state === "AWAITING_RETRY") {
    await engine[await askDecision(waiting, terminal)](waiting.id);
    return;
  }
  const values: Record<string, string | number | boolean> = {};
  for (const { id, question } of missingInputs(waiting)) {
    const answer = await askQuestion(question, terminal);
    if (typeof answer === "string" || typeof answer === "number" || typeof answer === "boolean") values[id] = answer;
  }
  await engine.input(waiting.id, values);
}
