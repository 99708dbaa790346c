/** `slipway record`: a hook or widget runs against a real app, and what that answered becomes the app's fake. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { listSecrets } from "../../../../sandbox/desk/concealment.ts";
import { createScriptIo } from "../../../adapters/script-io/script-io.ts";
import { nameFake, readFake } from "../../../check/world/read-fake.ts";
import { EngineError } from "../../../core/codes/problems.ts";
import type { AppAnswer } from "../../../standin/apps/answers.ts";
import type { DefineCommand } from "../../command.ts";
import { readJsonFile } from "../../options/files.ts";
import { compareRows } from "../../record/compare-rows.ts";
import { openRealApp } from "../../record/open-app.ts";
import { completeContext, findRecordedScript, type ScriptChoice } from "../../record/recorded-script.ts";
import { Recorder } from "../../record/recorder.ts";
import { printFake, writeFake } from "../../record/write-fake.ts";
import { type RecordedRows, writeRows } from "../../record/write-rows.ts";
import { canAsk, isLeaving, loadPrompts } from "../../ui/dialog/ask.ts";
import { EXIT } from "../../ui/exit.ts";
import { formatOption } from "../../ui/format.ts";
import { printJson, type Terminal } from "../../ui/terminal.ts";
import { ContextFile, readHookContext } from "../../workbench/context-file.ts";
import { printOutcome, type RunHookResult } from "../../workbench/run-result.ts";
import { checkResult, runSubject } from "../../workbench/run-subject.ts";
import { withScript } from "../../workbench/with-script.ts";

interface Options extends ScriptChoice {
  readonly catalog: string;
  readonly app: string;
  readonly allowLan?: boolean;
  readonly context?: string;
  readonly update?: boolean;
  readonly yes?: boolean;
  readonly format: "text" | "json";
}

/** `slipway record APPID --app http://ADDRESS`: exit 0 when the script completed, 1 when it did not: nothing is written then. */
export const defineRecord: DefineCommand = (command, terminal) => {
  command
    .argument("<app>", "the app's id")
    .requiredOption("--app <url>", "where the real app answers, e.g. http://127.0.0.1:8096")
    .option("--catalog <dir>", "folder of install scripts", ".")
    .option("--hook <id>", "the hook to run")
    .option("--widget <id>", "instead: a widget to run")
    .option("--context <file>", "JSON file with the context's data members, as of run-hook: its inputs above all")
    .option("--allow-lan", "the app may be on another machine than this one")
    .option("--update", "shows what changes in a fake that is there, and asks whether to write it")
    .option("--yes", "with --update: do not ask")
    .addOption(formatOption())
    .action(async (appId: string, options: Options) => {
      const { catalog, format, update = false, yes = false } = options;
      if (yes && !update) throw new EngineError("CLI_USAGE", "--yes is for --update");
      const file = join(catalog, nameFake(appId));
      if (!update && existsSync(file)) {
        const message = `can't write "${file}": it exists, --update shows what would change`;
        throw new EngineError("CLI_FILE_UNWRITABLE", message, { file });
      }
      // before the script changes anything in the app: a fake that can't be read can't be updated
      if (update) readFake(catalog, appId);
      const { root, ended, recorded } = await record(appId, options, terminal);
      if (ended.outcome.status === "failed" || recorded === null) {
        terminal.exitCode = EXIT.failed;
        if (format === "json") return printJson(terminal, { ...ended, file, written: false });
        printOutcome(terminal, ended);
        terminal.stderr.write(`nothing is written: the script did not complete\n`);
        return;
      }
      const { fake, added, removed } = compareRows(readFake(root, appId) ?? { answers: [] }, recorded.rows);
      const text = printFake(fake);
      const isChanged = added.length + removed.length > 0;
      if (format === "text") {
        printOutcome(terminal, ended);
        printChanges(terminal, file, { added, removed, recorded });
      }
      const isWanted = isChanged && (!update || yes || (await confirm(options, terminal)));
      if (isWanted) writeFake(root, appId, text);
      if (format === "json") {
        const { notes, secrets } = recorded;
        return printJson(terminal, { ...ended, file, written: isWanted, added, removed, secrets, notes });
      }
      terminal.stdout.write(`${describeEnd(file, isChanged, isWanted)}\n`);
    });
};

/** Runs the script against the app. */
async function record(appId: string, options: Options, terminal: Terminal) {
  const app = await openRealApp(options.app, options.allowLan === true);
  const given = options.context === undefined ? ContextFile.parse({}) : readJsonFile(options.context, ContextFile);
  const { root, subject, hook } = await findRecordedScript(options.catalog, appId, options);
  const context = completeContext(given, app, appId, hook);
  const recorder = new Recorder();
  const scriptIo = recorder.open(createScriptIo({ loopback: true }), app);
  const ended = await withScript(scriptIo, subject, async (sandbox, script): Promise<RunHookResult> => {
    const ran = await runSubject(sandbox, script, context, subject, { format: options.format }, terminal);
    const { declared } = subject;
    return declared === undefined || ran.outcome.status === "failed" ? ran : checkResult(declared.widget, ran);
  });
  if (terminal.signal.aborted) throw new EngineError("CLI_INTERRUPTED", "interrupted before anything was written");
  if (ended.outcome.status === "failed") return { root, ended, recorded: null };
  const exchanges = recorder.exchanges();
  if (exchanges === null) throw new EngineError("CLI_RECORDING_TOO_LARGE", "the app answered more than 32 MB in all");
  const secretInputs = listSecrets(readHookContext(context), context.secretInputs);
  return { root, ended, recorded: writeRows(exchanges, { baseUrl: app.baseUrl, secretInputs, now: Date.now() }) };
}

interface Changes {
  readonly added: readonly AppAnswer[];
  readonly removed: readonly AppAnswer[];
  readonly recorded: RecordedRows;
}

/** Most characters of a row in the list of changes. */
const SHOWN = 200;

function printChanges(terminal: Terminal, file: string, { added, removed, recorded }: Changes): void {
  const show = (sign: string) => (row: AppAnswer) => {
    const text = JSON.stringify(row);
    return `${sign} ${text.length > SHOWN ? `${text.slice(0, SHOWN)}...` : text}`;
  };
  const { notes, secrets } = recorded;
  const lines = [file, ...removed.map(show("-")), ...added.map(show("+")), ...notes.map((note) => `note: ${note}`)];
  terminal.stdout.write(`${[...lines, `${secrets} secrets and tokens have names instead`].join("\n")}\n`);
}

async function confirm({ format }: Options, terminal: Terminal): Promise<boolean> {
  if (format === "json" || !canAsk(terminal)) return false;
  const { confirm } = await loadPrompts();
  try {
    return await confirm({ message: "Write it?", default: true }, { signal: terminal.signal });
  } catch (error) {
    if (isLeaving(error)) return false;
    throw error;
  }
}

function describeEnd(file: string, isChanged: boolean, isWritten: boolean): string {
  if (!isChanged) return "nothing changes";
  return isWritten ? `wrote ${file}` : "not written: --yes writes it";
}
