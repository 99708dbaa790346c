/** `install`, `upgrade`, `update` and `action`: start one task and see it to its next rest. */
import { EngineError } from "../../core/codes/problems.ts";
import type { Json } from "../../core/json/json.ts";
import type { Engine, TaskView } from "../../engine/api.ts";
import { Answers, InputRequest, InstallRequest } from "../../engine/requests.ts";
import type { DefineCommand } from "../command.ts";
import { addEngineOptions, type EngineOptions, withEngine } from "../options/connect.ts";
import { readRequestFile } from "../options/files.ts";
import { engineTasks } from "../options/task-service.ts";
import { askForm, canAsk, isLeaving } from "../ui/ask.ts";
import { exitCodeOf, followTask } from "../ui/follow-task.ts";
import { formatOption } from "../ui/format.ts";
import { taskLines } from "../ui/task-text.ts";
import { printJson, type Terminal } from "../ui/terminal.ts";

interface StartOptions extends EngineOptions {
  readonly format: string;
  readonly answers?: string;
  readonly request?: string;
  readonly inputs?: string;
  readonly file?: readonly string[];
  readonly acceptDropped?: readonly string[];
  readonly yes?: boolean;
}

/** `install`, `upgrade` or `update` of an app. */
export function defineLifecycle(name: "install" | "upgrade" | "update"): DefineCommand {
  return (command, terminal) => {
    addEngineOptions(command.argument("<appId>"))
      .addOption(formatOption())
      .option("--answers <file>", "JSON of answers by question key")
      .option("--request <file>", "JSON of the whole install request: answers, consents, inputs, links")
      .option("--accept-dropped <hookId...>", "go on without these required hooks where they were dropped")
      .option("--yes", "take every default without asking")
      .action((appId: string, options: StartOptions) =>
        start(options, terminal, async (engine) => {
          const mode = name === "update" ? "options" : "install";
          const request = await completed(engine, appId, mode, requestOf(options), options, terminal);
          return engine[name](appId, request);
        }),
      );
  };
}

/** `action APPID HOOKID`. */
export const defineAction: DefineCommand = (command, terminal) => {
  addEngineOptions(command.argument("<appId>").argument("<hookId>"))
    .addOption(formatOption())
    .option("--inputs <file>", "JSON of values by input id")
    .option("--file <path...>", "host paths of the selected files")
    .action((appId: string, hookId: string, options: StartOptions) =>
      start(options, terminal, (engine) =>
        engine.runAction(appId, hookId, {
          ...(options.file !== undefined && { files: options.file }),
          ...(options.inputs !== undefined && { inputs: readRequestFile(options.inputs, InputRequest) }),
        }),
      ),
    );
};

function requestOf(options: StartOptions): InstallRequest {
  const { acceptDropped } = options;
  return { ...givenRequest(options), ...(acceptDropped !== undefined && { acceptDropped }) };
}

function givenRequest({ answers, request }: StartOptions): InstallRequest {
  if (answers !== undefined && request !== undefined) {
    throw new EngineError("CLI_USAGE", "--answers and --request can't be combined: the request holds the answers");
  }
  if (request !== undefined) return readRequestFile(request, InstallRequest);
  return answers === undefined ? {} : { answers: readRequestFile(answers, Answers) };
}

/** The request with what a person at the terminal adds; without one, or with --yes, as it is. */
async function completed(
  engine: Engine,
  appId: string,
  mode: "install" | "options",
  request: InstallRequest,
  options: StartOptions,
  terminal: Terminal,
): Promise<InstallRequest> {
  if (options.yes === true || options.format === "json" || !canAsk(terminal)) return request;
  const given: Readonly<Record<string, Json>> = request.answers ?? {};
  try {
    return { ...request, answers: await askForm(await engine.form(appId, mode), given, terminal) };
  } catch (error) {
    if (!isLeaving(error)) throw error;
    throw new EngineError(
      "CLI_INTERRUPTED",
      `interrupted before "${appId}" was begun: nothing has happened`,
      {},
      error,
    );
  }
}

async function start(
  options: StartOptions,
  terminal: Terminal,
  begin: (engine: Engine) => Promise<TaskView>,
): Promise<void> {
  await withEngine(options, terminal, async (engine) => {
    const { id } = await begin(engine);
    const task = await followTask(engineTasks(engine), id, terminal, options.format);
    terminal.exitCode = exitCodeOf(task);
    if (options.format === "json") printJson(terminal, task);
    else if (terminal.stdout.isTTY !== true) terminal.stdout.write(`${taskLines(task).join("\n")}\ntask ${task.id}\n`);
  });
}
