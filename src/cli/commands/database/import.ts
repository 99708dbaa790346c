import { z } from "zod";
import type { Engine } from "../../../engine/api.ts";
import { MAX_EXPORT } from "../../../engine/move/export-file.ts";
import { readExport } from "../../../engine/move/read-export.ts";
import { Answers, AppId, type ImportRequest } from "../../../engine/requests.ts";
import type { DefineCommand } from "../../command.ts";
import { addEngineOptions, withEngine } from "../../options/connect.ts";
import { readRequestFile, readTextFile } from "../../options/files.ts";
import { readPassphrase } from "../../options/passphrase.ts";
import { byUser } from "../../options/user.ts";
import { askForm } from "../../ui/dialog/ask.ts";
import { isConfirmed } from "../../ui/dialog/options-dialog.ts";
import { formatOption } from "../../ui/format.ts";
import { renderImport } from "../../ui/import-text.ts";
import { printJson, type Terminal } from "../../ui/terminal.ts";
import { begin, completeRequest, type StartOptions } from "../install.ts";

interface ImportOptions extends StartOptions {
  readonly passphraseFile?: string;
  readonly withoutSecrets?: true;
  readonly answers?: string;
  readonly list?: true;
  readonly yes?: boolean;
}

/** A character is three bytes at most. */
const MOST_BYTES = 3 * MAX_EXPORT;

/** `import FILE`: sets up the apps of an export that this engine does not look after yet, with their links and policies. */
export const defineImport: DefineCommand = (command, terminal) => {
  addEngineOptions(command.argument("<file>", "an export, as `slipway export` wrote it"))
    .option("--passphrase-file <file>", "file with the passphrase of the export (or SLIPWAY_PASSPHRASE)")
    .option("--without-secrets", "do without the secrets in it: they are generated, or asked for")
    .option("--answers <file>", "JSON of answers by app id and question key, in place of those in the export")
    .option("--list", "show what would be set up and what would be left out, and change nothing")
    .option("--yes", "do not ask")
    .addOption(formatOption())
    .action(async (file: string, options: ImportOptions) => {
      const request = await readRequest(file, options, terminal);
      return options.list === true ? list(request, options, terminal) : play(request, options, terminal);
    });
};

const AnswersOfApps = z.record(AppId, Answers);

async function readRequest(
  name: string,
  { passphraseFile, withoutSecrets, answers }: ImportOptions,
  terminal: Terminal,
): Promise<ImportRequest> {
  const file = readTextFile(name, MOST_BYTES);
  // A passphrase that was named is for a seal: the engine refuses a file that has none.
  const opens = passphraseFile !== undefined || readExport(file).file.secrets !== undefined;
  return {
    file,
    ...(opens && withoutSecrets !== true && { passphrase: await readPassphrase(passphraseFile, false, terminal) }),
    ...(withoutSecrets === true && { withoutSecrets }),
    ...(answers !== undefined && { answers: readRequestFile(answers, AnswersOfApps) }),
  };
}

function list(request: ImportRequest, options: ImportOptions, terminal: Terminal): Promise<void> {
  return withEngine(options, terminal, async (engine) => {
    const preview = await engine.previewImport(request);
    if (options.format === "json") printJson(terminal, preview);
    else terminal.stdout.write(`${renderImport(preview).join("\n")}\n`);
  });
}

function play(request: ImportRequest, options: ImportOptions, terminal: Terminal): Promise<void> {
  return begin(options, terminal, async (engine) => {
    const ask = async () => {
      const asked = await askMissing(engine, request, terminal);
      terminal.stdout.write(`${renderImport(await engine.previewImport(asked)).join("\n")}\n`);
      return (await isConfirmed("Import", "these apps", terminal)) ? asked : null;
    };
    return engine.importApps(await completeRequest("the import", request, ask, options, terminal), byUser());
  });
}

/** Asks the questions for which an app would be left out: their answers are not in the export, or do not fit here. */
async function askMissing(engine: Engine, request: ImportRequest, terminal: Terminal): Promise<ImportRequest> {
  const { leftOut } = await engine.previewImport(request);
  let { answers = {} } = request;
  for (const { appId, questions = [], hookId } of leftOut) {
    if (questions.length === 0 || hookId !== undefined) continue;
    const { steps } = await engine.form(appId, "install");
    const missing = steps.map((step) => ({
      ...step,
      sections: step.sections.map((section) => ({
        ...section,
        questions: section.questions.filter(({ key }) => questions.includes(key)),
      })),
    }));
    terminal.stdout.write(`${appId}\n`);
    answers = { ...answers, [appId]: { ...answers[appId], ...(await askForm({ steps: missing }, {}, terminal)) } };
  }
  return { ...request, answers };
}
