/** `tasks`, `task` and a person's decisions: on a database, or on a running service with `--api`. */

import { Option } from "commander";
import { createTaskUnknownError } from "../../core/codes/common-errors.ts";
import { TASK_STATES } from "../../core/task-states.ts";
import type { Decision, TaskState, TaskView } from "../../engine/api.ts";
import { DecisionRequest, InputRequest, readRequest, TaskFilter } from "../../engine/requests.ts";
import type { DefineCommand } from "../command.ts";
import { readRequestFile } from "../options/files.ts";
import type { TaskReader } from "../options/read-tasks.ts";
import { addTaskOptions, type TaskOptions, withReader, withTasks } from "../options/task-connection.ts";
import { readQuestion, type TaskService } from "../options/task-service.ts";
import { EXIT } from "../ui/exit.ts";
import { findExitCode, followTask } from "../ui/follow-task.ts";
import { findWaitingTask, isResting, renderTask, renderTaskLine } from "../ui/task-text.ts";
import { printJson, printJsonLine, type Terminal } from "../ui/terminal.ts";

interface AnswerOptions extends TaskOptions {
  readonly revision?: number;
  readonly checkpoint?: string;
}

interface ListOptions extends TaskOptions {
  readonly app?: string;
  readonly unfinished?: boolean;
  readonly state?: readonly string[];
  readonly since?: string;
  readonly before?: string;
  readonly limit?: number;
  readonly follow?: boolean;
}

/** The state in which a decision has done what was asked. */
const ENDS: Partial<Record<Decision | "input", TaskState>> = { cancel: "CANCELLED", dismiss: "DISMISSED" };

/** `tasks`. */
export const defineTasks: DefineCommand = (command, terminal) => {
  addTaskOptions(command)
    .option("--app <id>", "only tasks of this app")
    .option("--unfinished", "only tasks that have not ended")
    .addOption(new Option("--state <state...>", "only tasks in these states").choices(TASK_STATES))
    .option("--since <time>", "only tasks that changed at this time or later: ISO 8601 with a time zone")
    .option("--before <id>", "only tasks older than this one: the next page")
    .option("--limit <n>", "most tasks to list (default: 100)", Number)
    .option("--follow", "keep printing every change until interrupted")
    .action((options: ListOptions) => withReader(options, (reader) => list(reader, options, terminal)));
};

async function list(reader: TaskReader, options: ListOptions, terminal: Terminal): Promise<void> {
  const { app, unfinished, state, since, before, limit, follow, format } = options;
  const { tasks, seq } = await reader.tasks(
    readRequest(TaskFilter, {
      ...(app !== undefined && { appId: app }),
      ...(unfinished === true && { unfinished }),
      ...(state !== undefined && { states: state }),
      ...(since !== undefined && { since }),
      ...(before !== undefined && { before }),
      ...(limit !== undefined && { limit }),
    }),
  );
  if (format !== "json") for (const task of tasks) terminal.stdout.write(`${task.id}  ${renderTaskLine(task)}\n`);
  else if (follow !== true) printJson(terminal, { tasks });
  else printJsonLine(terminal, { tasks, seq });
  if (follow !== true) return;
  // Of an app its own tasks with all that is under them, also of other apps.
  const roots = new Set(tasks.map(({ id }) => id));
  for await (const change of reader.changes(seq, terminal.signal)) {
    const { taskId, task } = change;
    if (task.parent === undefined && (app === undefined || task.appId === app)) roots.add(taskId);
    if (app !== undefined && !roots.has(taskId)) continue;
    if (format === "json") printJsonLine(terminal, change);
    else terminal.stdout.write(`${task.id}  ${renderTaskLine(task)}\n`);
  }
}

/** `task ID`. */
export const defineTask: DefineCommand = (command, terminal) => {
  addTaskOptions(command.argument("<id>")).action((id: string, options: TaskOptions) =>
    withReader(options, async (reader) => print(await requireTask(reader, id), options, terminal)),
  );
};

/** `cancel` or `dismiss` of a task. */
export function defineEnding(decision: "cancel" | "dismiss"): DefineCommand {
  return (command, terminal) => {
    addTaskOptions(command.argument("<id>")).action((id: string, options: TaskOptions) =>
      decide(id, options, terminal, decision, async (service, task) => {
        const chosen = task.state === "FAILED" || decision === "cancel" ? task : (findWaitingTask(task) ?? task);
        await service.decide(chosen.id, decision);
      }),
    );
  };
}

/** `retry` or `skip` of a task: of the question it asks when the command looks, or of the one the options name. */
export function defineAnswer(decision: "retry" | "skip"): DefineCommand {
  return (command, terminal) => {
    addTaskOptions(command.argument("<id>"))
      .option("--revision <n>", "only where the task that waits still shows this `revision`", Number)
      .option("--checkpoint <id>", "only where its script waits at this checkpoint")
      .action((id: string, options: AnswerOptions) => {
        const { revision, checkpoint } = options;
        const named = readRequest(DecisionRequest, {
          ...(revision !== undefined && { revision }),
          ...(checkpoint !== undefined && { checkpoint }),
        });
        return decide(id, options, terminal, decision, async (service, task, interrupted) => {
          const chosen = task.state === "FAILED" ? task : (findWaitingTask(task) ?? task);
          // An interrupted task has been driven on already: there is nothing left to try again.
          if (decision === "retry" && interrupted) return;
          await service.decide(chosen.id, decision, { ...readQuestion(chosen), ...named });
        });
      });
  };
}

/** `input ID`. */
export const defineInput: DefineCommand = (command, terminal) => {
  addTaskOptions(command.argument("<id>"))
    .requiredOption("--values <file>", "JSON of values by input id")
    .action((id: string, options: TaskOptions & { readonly values: string }) => {
      const values = readRequestFile(options.values, InputRequest);
      return decide(id, options, terminal, "input", async (service, task) => {
        await service.input((findWaitingTask(task) ?? task).id, values);
      });
    });
};

/** Carries a decision out and sees the task's tree to its next rest. */
async function decide(
  id: string,
  options: TaskOptions,
  terminal: Terminal,
  decision: Decision | "input",
  carryOut: (service: TaskService, task: TaskView, interrupted: boolean) => Promise<void>,
): Promise<void> {
  let interrupted = false;
  await withReader(options, async (reader) => {
    interrupted = !isResting(await findRoot(reader, await requireTask(reader, id)));
  });
  await withTasks(options, terminal, async (service) => {
    const root = await findRoot(service, await requireTask(service, id));
    // A task is cancelled where it is; any other decision is about the place where it comes to rest.
    if (interrupted && decision !== "cancel") await followTask(service, root.id, terminal, options.format);
    await carryOut(service, await requireTask(service, id), interrupted);
    const rested = await followTask(service, root.id, terminal, options.format);
    const ended = rested.state === ENDS[decision];
    terminal.exitCode = ended ? EXIT.done : findExitCode(rested);
    print(await requireTask(service, id), options, terminal);
  });
}

async function requireTask(reader: TaskReader, id: string): Promise<TaskView> {
  const task = await reader.task(id);
  if (task === null) throw createTaskUnknownError(id);
  return task;
}

async function findRoot(reader: TaskReader, task: TaskView): Promise<TaskView> {
  return task.parent === undefined ? task : findRoot(reader, await requireTask(reader, task.parent));
}

function print(task: TaskView, { format }: TaskOptions, terminal: Terminal): void {
  if (format === "json") printJson(terminal, task);
  else terminal.stdout.write(`${renderTask(task).join("\n")}\n`);
}
