import type { Code } from "../../core/codes/code.ts";
import { EngineError } from "../../core/codes/problems.ts";
import type { Decision, TaskView } from "../../engine/api.ts";
import { readQuestion, type TaskService } from "../options/task-service.ts";
import { askDecision, askInputs, canAsk, isLeaving } from "./dialog/ask.ts";
import { EXIT, type ExitCode } from "./exit.ts";
import { createTaskDisplay, SILENT } from "./live-tree.ts";
import { findWaitingTask } from "./task-text.ts";
import type { Terminal } from "./terminal.ts";

/**
 * Shows a root task until it rests, asking the person at the terminal whenever only a person can go on; returns it as
 * it came to rest. Throws `CLI_INTERRUPTED` on SIGINT.
 */
export async function followTask(
  service: TaskService,
  rootId: string,
  terminal: Terminal,
  format: string,
): Promise<TaskView> {
  const asks = format !== "json" && canAsk(terminal);
  for (;;) {
    const display = format === "json" ? SILENT : await createTaskDisplay(terminal);
    const task = await follow(service, rootId, (seen) => display.show(seen), terminal);
    display.show(task);
    display.done();
    const waiting = findWaitingTask(task);
    if (waiting === null || !asks) return task;
    if (!(await ask(service, waiting, terminal))) return task;
  }
}

/** Carries out what the person decides; false when they leave without a decision, which the task waits for as before. */
async function ask(service: TaskService, waiting: TaskView, terminal: Terminal): Promise<boolean> {
  try {
    const decision = waiting.state === "AWAITING_RETRY" ? await askDecision(waiting, terminal) : "input";
    if (decision === "input") await giveInputs(service, waiting, terminal);
    else await decideShown(service, waiting, decision);
    return true;
  } catch (error) {
    // While the question stood there, somebody else decided or the provider granted: look at the task again.
    if (error instanceof EngineError && OVERTAKEN.has(error.code)) return true;
    if (!isLeaving(error)) throw error;
    return false;
  }
}

const OVERTAKEN: ReadonlySet<Code> = new Set(["TASK_REFUSED", "TASK_DECISION_STALE"]);

/** A retry or skip is about the question the person was shown, and about no other. */
async function decideShown(service: TaskService, shown: TaskView, decision: Decision): Promise<void> {
  const answers = decision === "retry" || decision === "skip";
  await service.decide(shown.id, decision, answers ? readQuestion(shown) : undefined);
}

async function giveInputs(service: TaskService, waiting: TaskView, terminal: Terminal): Promise<void> {
  const decided = await askInputs(waiting, terminal);
  if (decided.kind === "input") await service.input(waiting.id, decided.values, readQuestion(waiting));
  else if (decided.kind !== "look") await decideShown(service, waiting, decided.kind);
}

/** Exit code of a task at rest: 0 done, 1 failed or given up, 3 waiting for a person. */
export function findExitCode(task: TaskView): ExitCode {
  if (findWaitingTask(task) !== null) return EXIT.waiting;
  // Of several upgrades each has its turn, whatever becomes of the others.
  if (task.result !== undefined && "failed" in task.result && task.result.failed.length > 0) return EXIT.failed;
  return task.state === "COMPLETED" || task.state === "SKIPPED" ? EXIT.done : EXIT.failed;
}

async function follow(
  service: TaskService,
  rootId: string,
  show: (task: TaskView) => void,
  terminal: Terminal,
): Promise<TaskView> {
  try {
    return await service.follow(rootId, show, terminal.signal);
  } catch (error) {
    if (!terminal.signal.aborted) throw error;
    throw new EngineError("CLI_INTERRUPTED", `interrupted while task "${rootId}" was running`, { taskId: rootId });
  }
}
