/** `install`, `update`, `start`, `stop`, `restart` and `action`: start one task and see it to its next rest. */
import type { Command } from "commander";
import type { z } from "zod";
import { EngineError } from "../../core/codes/problems.ts";
import type { Engine, TaskView } from "../../engine/api.ts";
import { Answers, InputRequest, InstallRequest, type UpgradeRequest } from "../../engine/requests.ts";
import type { DefineCommand } from "../command.ts";
import { addEngineOptions, type EngineOptions, withEngine } from "../options/connect.ts";
import { readRequestFile } from "../options/files.ts";
import { createEngineTasks } from "../options/task-service.ts";
import { byUser } from "../options/user.ts";
import { canAsk, isLeaving } from "../ui/dialog/ask.ts";
import { askInstall, showFiring } from "../ui/dialog/install-dialog.ts";
import { askUpdate } from "../ui/dialog/options-dialog.ts";
import { findExitCode, followTask } from "../ui/follow-task.ts";
import { formatOption } from "../ui/format.ts";
import { renderNotification } from "../ui/notification-text.ts";
import { renderTask } from "../ui/task-text.ts";
import { printJson, type Terminal } from "../ui/terminal.ts";

/** Options of every command that starts a task. */
export interface StartOptions extends EngineOptions {
  readonly format: string;
}

/** Options of a lifecycle that takes a request. */
export interface RequestOptions extends StartOptions {
  readonly answers?: string;
  readonly request?: string;
  readonly yes?: boolean;
}

interface ActionOptions extends StartOptions {
  readonly inputs?: string;
  readonly file?: readonly string[];
}

type Lifecycle = "install" | "update";

/** `install` or `update` of an app. */
export function defineLifecycle(name: Lifecycle): DefineCommand {
  return (command, terminal) => {
    addRequestOptions(command.argument("<appId>")).action((appId: string, options: RequestOptions) =>
      begin(options, terminal, async (engine) => {
        const given = readGivenRequest(options, InstallRequest);
        const { yes, format } = options;
        const request = yes === true && name === "install" ? { links: "default" as const, ...given } : given;
        if (name === "install" && format !== "json" && !isAsked(options, terminal))
          await showFiring(engine, appId, request, terminal);
        const ask = () => ASK[name](engine, appId, request, terminal);
        return engine[name](appId, await completeRequest(appId, request, ask, options, terminal), byUser());
      }),
    );
  };
}

const ASK = { install: askInstall, update: askUpdate } as const;

/** Adds the options of a command that takes a request. */
export function addRequestOptions(command: Command): Command {
  return addEngineOptions(command)
    .addOption(formatOption())
    .option("--answers <file>", "JSON of answers by question key")
    .option("--request <file>", "JSON of the whole install request: answers, consents, inputs, links")
    .option("--yes", "take every default without asking, the links of the untouched dialog too");
}

/** `start`, `stop` or `restart` of an app. */
export function defineSwitch(name: "startApp" | "stopApp" | "restartApp"): DefineCommand {
  return (command, terminal) => {
    addEngineOptions(command.argument("<appId>"))
      .addOption(formatOption())
      .action((appId: string, options: StartOptions) =>
        begin(options, terminal, (engine) => engine[name](appId, byUser())),
      );
  };
}

/** `action APPID HOOKID`. */
export const defineAction: DefineCommand = (command, terminal) => {
  addEngineOptions(command.argument("<appId>").argument("<hookId>"))
    .addOption(formatOption())
    .option("--inputs <file>", "JSON of values by input id")
    .option("--file <path...>", "host paths of the selected files")
    .action((appId: string, hookId: string, options: ActionOptions) =>
      begin(options, terminal, (engine) =>
        engine.runAction(
          appId,
          hookId,
          {
            ...(options.file !== undefined && { files: options.file }),
            ...(options.inputs !== undefined && { inputs: readRequestFile(options.inputs, InputRequest) }),
          },
          byUser(),
        ),
      ),
    );
};

/** The request of the files. */
export function readGivenRequest(
  { answers, request }: RequestOptions,
  schema: z.ZodType<UpgradeRequest>,
): UpgradeRequest {
  if (answers !== undefined && request !== undefined) {
    throw new EngineError("CLI_USAGE", "--answers and --request can't be combined: the request holds the answers");
  }
  return request === undefined ? readAnswers(answers) : readRequestFile(request, schema);
}

function readAnswers(file: string | undefined): InstallRequest {
  return file === undefined ? {} : { answers: readRequestFile(file, Answers) };
}

/**
 * The request with what a person at the terminal adds, who is shown first what will happen; without one, or with --yes, as
 * it is. Throws `CLI_INTERRUPTED` where they leave: nothing has happened then.
 */
export async function completeRequest<Request>(
  appId: string,
  request: Request,
  ask: () => Promise<Request | null>,
  options: RequestOptions,
  terminal: Terminal,
): Promise<Request> {
  if (!isAsked(options, terminal)) return request;
  const chosen = await ask().catch((error: unknown) => {
    if (isLeaving(error)) return null;
    throw error;
  });
  if (chosen !== null) return chosen;
  throw new EngineError("CLI_INTERRUPTED", `interrupted before "${appId}" was begun: nothing has happened`);
}

/** Whether a person at the terminal is asked before anything begins. */
export function isAsked({ yes, format }: Pick<RequestOptions, "yes" | "format">, terminal: Terminal): boolean {
  return format !== "json" && yes !== true && canAsk(terminal);
}

/** Starts a task and sees it to its next rest, as a live tree or one JSON document. */
export async function begin(
  options: StartOptions,
  terminal: Terminal,
  start: (engine: Engine) => Promise<TaskView>,
): Promise<void> {
  await withEngine(options, terminal, async (engine) => {
    const { id } = await start(engine);
    const task = await followTask(createEngineTasks(engine, byUser()), id, terminal, options.format);
    terminal.exitCode = findExitCode(task);
    if (options.format === "json") printJson(terminal, task);
    else if (terminal.stdout.isTTY !== true) terminal.stdout.write(`${renderTask(task).join("\n")}\ntask ${task.id}\n`);
    if (options.format !== "json") tellLinks(engine, task, terminal);
  });
}

/** Oldest first. */
function tellLinks(engine: Engine, { children }: TaskView, terminal: Terminal): void {
  const tasks = new Set(children.map(({ id }) => id));
  for (const notification of engine.notifications({ unread: true }).toReversed()) {
    if (notification.type === "pairing.linked" && tasks.has(notification.taskId))
      terminal.stdout.write(`${renderNotification(notification)}\n`);
  }
}
