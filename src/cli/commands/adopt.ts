import { EngineError } from "../../core/codes/problems.ts";
import type { Engine } from "../../engine/api.ts";
import { type AdoptRequest, Answers } from "../../engine/requests.ts";
import type { DefineCommand } from "../command.ts";
import { addEngineOptions, withEngine } from "../options/connect.ts";
import { readRequestFile } from "../options/files.ts";
import { byUser } from "../options/user.ts";
import { renderAdoption } from "../ui/adopt-text.ts";
import { askForm, isLeaving } from "../ui/dialog/ask.ts";
import { isConfirmed } from "../ui/dialog/options-dialog.ts";
import { formatOption } from "../ui/format.ts";
import { printJson, type Terminal } from "../ui/terminal.ts";
import { begin, isAsked, type StartOptions } from "./install.ts";

interface AdoptOptions extends StartOptions {
  readonly answers?: string;
  readonly list?: true;
  readonly yes?: boolean;
}

/** `adopt APPID`: shows what is known of an app that was installed by other means, and takes it over as it is. */
export const defineAdopt: DefineCommand = (command, terminal) => {
  addEngineOptions(command.argument("<appId>"))
    .addOption(formatOption())
    .option("--answers <file>", "JSON by question key, of answers the app's configuration does not tell")
    .option("--list", "show what is known of the app and what is not, and change nothing")
    .option("--yes", "do not ask")
    .action((appId: string, options: AdoptOptions) => {
      const { answers } = options;
      const request: AdoptRequest = answers === undefined ? {} : { answers: readRequestFile(answers, Answers) };
      return options.list === true
        ? list(appId, request, options, terminal)
        : begin(options, terminal, async (engine) =>
            engine.adopt(appId, await agree(engine, appId, request, options, terminal), byUser()),
          );
    });
};

function list(appId: string, request: AdoptRequest, options: AdoptOptions, terminal: Terminal): Promise<void> {
  return withEngine(options, terminal, async (engine) => {
    const preview = await engine.previewAdopt(appId, request);
    if (options.format === "json") printJson(terminal, preview);
    else terminal.stdout.write(`${renderAdoption(preview).join("\n")}\n`);
  });
}

/** The request for what was shown. Throws `CLI_INTERRUPTED` where the person leaves. */
async function agree(
  engine: Engine,
  appId: string,
  given: AdoptRequest,
  options: AdoptOptions,
  terminal: Terminal,
): Promise<AdoptRequest> {
  if (options.format === "json") return given;
  const asks = isAsked(options, terminal);
  try {
    const request = asks ? await askMissing(engine, appId, given, terminal) : given;
    const preview = await engine.previewAdopt(appId, request);
    terminal.stdout.write(`${renderAdoption(preview).join("\n")}\n`);
    const isRefused = preview.problems.some(({ severity }) => severity === "error");
    if (isRefused || !asks || (await isConfirmed("Adopt", appId, terminal)))
      return { ...request, revision: preview.revision };
  } catch (error) {
    if (!isLeaving(error)) throw error;
  }
  throw new EngineError("CLI_INTERRUPTED", `"${appId}" was not adopted: nothing has happened`);
}

/** Asks what the adoption would be refused without; what else is unknown may stay so. */
async function askMissing(
  engine: Engine,
  appId: string,
  { answers = {} }: AdoptRequest,
  terminal: Terminal,
): Promise<AdoptRequest> {
  const { unknown, problems } = await engine.previewAdopt(appId, { answers });
  const missing = new Set(problems.flatMap(({ path: [area, key] }) => (area === "answers" ? [key] : [])));
  const questions = unknown.filter(({ key }) => missing.has(key));
  const form = { steps: [{ title: "", rail: false, sections: [{ title: "", questions }] }] };
  return { answers: await askForm(form, answers, terminal) };
}
