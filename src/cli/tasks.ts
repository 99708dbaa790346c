/** `tasks`, `task` and a person's decisions: on a database, or on a running service with `--api`. */
import { readFileSync } from "node:fs";
import { type Command, Option } from "commander";
import { z } from "zod";
import { EngineError } from "../core/problems.ts";
import type { TaskState, TaskView } from "../engine/api.ts";
import { apiTasks } from "./api-tasks.ts";
import { addEngineOptions, type EngineOptions, openFromOptions } from "./connect.ts";
import { driveTask, exitCodeOf } from "./drive.ts";
import { EXIT } from "./exit.ts";
import { readJsonFile } from "./files.ts";
import { formatOption } from "./format.ts";
import type { RegisterCommand } from "./main.ts";
import { type Decision, engineTasks, type TaskService } from "./task-service.ts";
import { isResting, taskLine, taskLines, waitingTask } from "./task-text.ts";
import { printJson, type Terminal } from "./terminal.ts";

interface TaskOptions extends EngineOptions {
  readonly format: string;
  readonly api?: string;
  readonly tokenFile?: string;
  readonly values?: string;
  readonly app?: string;
  readonly unfinished?: boolean;
}

const DECISIONS: readonly (readonly [decision: Decision, description: string])[] = [
  ["retry", "Tries a failed task or hook again, or drives an interrupted task on"],
  ["skip", "Skips a hook or checkpoint that waits for a decision"],
  ["cancel", "Cancels a task"],
  ["dismiss", "Puts a failed task away"],
];

/** The state in which a decision has done what was asked. */
const ENDS: Partial<Record<Decision | "input", TaskState>> = { cancel: "CANCELLED", dismiss: "DISMISSED" };

const Values = z.record(z.string(), z.json());

/** Registers the commands that read tasks and decide about them. */
export const registerTasks: RegisterCommand = (program, terminal) => {
  taskCommand(program, "tasks", "Lists tasks, newest first")
    .option("--app <id>", "only tasks of this app")
    .option("--unfinished", "only tasks that have not ended")
    .action((options: TaskOptions) =>
      withTasks(options, async (service) => {
        const tasks = await service.tasks({
          ...(options.app !== undefined && { appId: options.app }),
          ...(options.unfinished === true && { unfinished: true }),
        });
        if (options.format === "json") return printJson(terminal, { tasks });
        for (const task of tasks) terminal.stdout.write(`${task.id}  ${taskLine(task)}\n`);
      }),
    );
  taskCommand(program, "task <id>", "Shows one task with its children and checkpoints").action(
    (id: string, options: TaskOptions) =>
      withTasks(options, async (service) => print(await taskOf(service, id), options, terminal)),
  );
  for (const [decision, description] of DECISIONS) {
    taskCommand(program, `${decision} <id>`, description).action((id: string, options: TaskOptions) =>
      decide(id, options, terminal, decision, async (service, task) => {
        const chosen = task.state === "FAILED" || decision === "cancel" ? task : (waitingTask(task) ?? task);
        // Opening the database has already driven an interrupted task on: there is nothing left to try again.
        if (decision === "retry" && chosen.state !== "AWAITING_RETRY" && chosen.state !== "FAILED") return;
        await service.decide(chosen.id, decision);
      }),
    );
  }
  taskCommand(program, "input <id>", "Gives a hook the inputs it waits for")
    .requiredOption("--values <file>", "JSON of values by input id")
    .action((id: string, options: TaskOptions) =>
      decide(id, options, terminal, "input", async (service, task) => {
        const values = readJsonFile(options.values ?? "", Values);
        await service.input((waitingTask(task) ?? task).id, values);
      }),
    );
};

function taskCommand(program: Command, usage: string, description: string): Command {
  return addEngineOptions(program.command(usage).description(description))
    .addOption(formatOption())
    .addOption(new Option("--api <url>", "a running `slipway serve` instead of a database"))
    .option("--token-file <file>", "file that holds the service's bearer token");
}

async function withTasks(options: TaskOptions, act: (service: TaskService) => Promise<void>): Promise<void> {
  if (options.api !== undefined) {
    const token = options.tokenFile === undefined ? null : readFileSync(options.tokenFile, "utf8").trim();
    return act(apiTasks(options.api, token));
  }
  const opened = await openFromOptions(options);
  try {
    await act(engineTasks(opened.engine));
  } finally {
    await opened.close();
  }
}

/** Carries a decision out and sees the task's tree to its next rest. */
async function decide(
  id: string,
  options: TaskOptions,
  terminal: Terminal,
  decision: Decision | "input",
  carryOut: (service: TaskService, task: TaskView) => Promise<void>,
): Promise<void> {
  await withTasks(options, async (service) => {
    const task = await taskOf(service, id);
    const root = await rootOf(service, task);
    if (!isResting(root)) await driveTask(service, root.id, terminal, options.format);
    await carryOut(service, await taskOf(service, id));
    const rested = await driveTask(service, root.id, terminal, options.format);
    const ended = rested.state === ENDS[decision];
    terminal.exitCode = ended ? EXIT.done : exitCodeOf(rested);
    print(await taskOf(service, id), options, terminal);
  });
}

async function taskOf(service: TaskService, id: string): Promise<TaskView> {
  const task = await service.task(id);
  if (task === null) throw new EngineError("TASK_UNKNOWN", `there is no task "${id}"`, { taskId: id });
  return task;
}

async function rootOf(service: TaskService, task: TaskView): Promise<TaskView> {
  return task.parent === undefined ? task : rootOf(service, await taskOf(service, task.parent));
}

function print(task: TaskView, { format }: TaskOptions, terminal: Terminal): void {
  if (format === "json") printJson(terminal, task);
  else terminal.stdout.write(`${taskLines(task).join("\n")}\n`);
}
