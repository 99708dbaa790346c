/** `slipway run-hook`: the author's workbench. Runs one script in the real sandbox, without engine or host. */

import { InvalidArgumentError } from "commander";
import type { ScriptIo } from "../../../../sandbox/contract.ts";
import { createScriptIo } from "../../../adapters/script-io/script-io.ts";
import { answerFromTable } from "../../../check/world/answers-http.ts";
import { EngineError } from "../../../core/codes/problems.ts";
import { AppAnswersFile } from "../../../standin/apps/answers.ts";
import type { DefineCommand } from "../../command.ts";
import { readJsonFile } from "../../options/files.ts";
import { EXIT } from "../../ui/exit.ts";
import { formatOption } from "../../ui/format.ts";
import { printJson, type Terminal } from "../../ui/terminal.ts";
import { ContextFile } from "../../workbench/context-file.ts";
import { type ReadJournal, readJournal, replayJournal } from "../../workbench/journal-from-file.ts";
import { requireNewFile } from "../../workbench/journal-to-file.ts";
import { printOutcome, type RunHookResult } from "../../workbench/run-result.ts";
import { checkResult, type RunOptions, runSubject } from "../../workbench/run-subject.ts";
import { RunView } from "../../workbench/run-view.ts";
import { readSubject, type Subject, type SubjectOptions } from "../../workbench/subject.ts";
import { withScript } from "../../workbench/with-script.ts";

interface RunHookOptions extends SubjectOptions, RunOptions {
  readonly context?: string;
  readonly answersHttp?: string;
  /** A journal's file, to be played in place of a run. */
  readonly replay?: string;
}

/**
 * `slipway run-hook SCRIPT.ts --entrypoint NAME`, or `--widget SCRIPT.json#ID`: exit 0 when the script completed, 1 when it
 * or its bundling failed, or a widget's result can't be shown as declared.
 */
export const defineRunHook: DefineCommand = (command, terminal) => {
  command
    .argument("[script]", "the TypeScript file")
    .option("--entrypoint <name>", "the exported function to call")
    .option("--widget <script#id>", "instead: a widget by its install script and id; its result is checked")
    .option("--context <file>", "JSON file with the context's data members")
    .option("--timeout <seconds>", "running time allowed (default: 300; for a widget its own)", toSeconds)
    .option("--catalog <dir>", "folder that imports may not leave (default: the script's own folder)")
    .option("--answers-http <file>", "JSON table that answers every request instead of the network")
    .option("--journal <file>", "writes what the script was told to a new file, its secrets left out")
    .option("--replay <file>", "plays such a file: every answer comes from it, nothing is sent")
    .addOption(formatOption())
    .action(async (script: string | undefined, options: RunHookOptions) => {
      refuseContradictions(options);
      const result = await runHook(await readSubject(script, options), options, terminal);
      if (options.format === "json") printJson(terminal, result);
      else printOutcome(terminal, result);
      if (result.outcome.status === "failed") terminal.exitCode = EXIT.failed;
    });
};

function toSeconds(text: string): number {
  const seconds = Number(text);
  if (seconds > 0 && seconds <= 21_600) return seconds;
  throw new InvalidArgumentError("allowed are more than 0 and at most 21600 seconds");
}

async function runHook(subject: Subject, options: RunHookOptions, terminal: Terminal): Promise<RunHookResult> {
  if (options.replay !== undefined) {
    return replayHook(subject, readJournal(options.replay, subject.entrypoint), options, terminal);
  }
  if (options.journal !== undefined) requireNewFile(options.journal);
  const context = options.context === undefined ? ContextFile.parse({}) : readJsonFile(options.context, ContextFile);
  const answers =
    options.answersHttp === undefined ? undefined : readJsonFile(options.answersHttp, AppAnswersFile).answers;
  const real = createScriptIo({ loopback: true });
  const scriptIo = answers === undefined ? real : answerFromTable(real, answers, context.baseUrl);
  const { declared } = subject;
  return withScript(scriptIo, subject, async (sandbox, script) => {
    const ended = await runSubject(sandbox, script, context, subject, options, terminal);
    return declared === undefined || ended.outcome.status === "failed" ? ended : checkResult(declared.widget, ended);
  });
}

/** A journal is a hook's, and a replay has everything from its file. */
function refuseContradictions({ journal, replay, widget, context, answersHttp }: RunHookOptions): void {
  if (journal === undefined && replay === undefined) return;
  const wanted = replay === undefined ? "--journal" : "--replay";
  if (widget !== undefined) throw new EngineError("CLI_USAGE", `${wanted} is for hooks: of a widget nothing is kept`);
  if (replay === undefined) return;
  for (const [name, value] of Object.entries({ journal, context, "answers-http": answersHttp })) {
    if (value === undefined) continue;
    throw new EngineError("CLI_USAGE", `--replay takes no --${name}: everything comes from its file`);
  }
}

function replayHook(
  subject: Subject,
  journal: ReadJournal,
  options: RunHookOptions,
  terminal: Terminal,
): Promise<RunHookResult> {
  const view = new RunView(terminal, options.format === "text");
  return withScript(NOTHING_OUTSIDE, subject, (player, script) =>
    replayJournal(player, journal, { script, wallMs: subject.timeout * 1000, view, signal: terminal.signal }),
  );
}

const NOTHING_OUTSIDE: ScriptIo = {
  open: () => {
    throw new Error("a replay reaches nothing");
  },
};
