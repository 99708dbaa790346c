/** `slipway check`: plays the apps of a catalog and says how far each can be trusted. */
import { availableParallelism } from "node:os";
import { InvalidArgumentError, Option } from "commander";
import { APPS_HELP, openAppSchemas } from "../../../adapters/app-schemas/app-schemas.ts";
import { CHANGES } from "../../../check/levels/changes.ts";
import { HIGHEST, LEVELS } from "../../../check/levels/levels.ts";
import { toHtml } from "../../../check/reports/html.ts";
import { type CheckResult, toCheckDocument } from "../../../check/reports/json.ts";
import { toJunit } from "../../../check/reports/junit.ts";
import { toCheckSarif } from "../../../check/reports/sarif.ts";
import { renderSummary } from "../../../check/reports/table.ts";
import { type CheckOptions, type CheckView, runCheck } from "../../../check/run-check.ts";
import { watchCheck } from "../../../check/watch/watch-check.ts";
import { EngineError } from "../../../core/codes/problems.ts";
import { readMessage } from "../../../core/json/read-message.ts";
import { escapeControlCharacters } from "../../../core/report/plain-text.ts";
import { writeOutput } from "../../../files/write-output.ts";
import type { DefineCommand } from "../../command.ts";
import { createCheckTable, SILENT_TABLE } from "../../ui/check-table.ts";
import { EXIT } from "../../ui/exit.ts";
import type { Terminal } from "../../ui/terminal.ts";
import { createWatchView } from "../../watch/watch-views.ts";

interface Options {
  readonly catalog: string;
  readonly level: number;
  readonly strict?: boolean;
  readonly jobs: number;
  readonly limit: number;
  readonly seed: number;
  readonly from?: string;
  readonly apps?: string;
  readonly format: "table" | ReportFormat;
  readonly out?: string;
  readonly watch?: boolean;
}

/** The reports beside the table, each as one text. */
const REPORTS = {
  json: (result: CheckResult) => printable(toCheckDocument(result, LEVELS)),
  junit: (result: CheckResult) => toJunit(result, LEVELS),
  html: (result: CheckResult) => toHtml(result, LEVELS),
  sarif: (result: CheckResult) => printable(toCheckSarif(result)),
} as const;
type ReportFormat = keyof typeof REPORTS;

/** The level asked for where nobody says. */
const USUAL_LEVEL = Math.min(4, HIGHEST);

/** `slipway check [APPID...] --catalog DIR`: exit 0 when every app is at the level asked for, 1 when one is not. */
export const defineCheck: DefineCommand = (command, terminal) => {
  const levels = LEVELS.map(({ number, name }) => `${number} ${name}`).join(", ");
  command
    .argument("[app...]", "app ids; without one, every app of the catalog")
    .requiredOption("--catalog <dir>", "folder of install scripts")
    .option(
      "--level <n>",
      `the level every app has to reach, and the highest that is played: ${levels}`,
      toLevel,
      USUAL_LEVEL,
    )
    .option("--strict", "warnings break level 1 too")
    .option("--jobs <n>", "apps played at a time", toCount, availableParallelism())
    .option("--limit <seconds>", "time a level of one app may take", toCount, 60)
    .option("--seed <n>", "decides the answers that are generated", toCount, 1)
    .option(
      "--from <ref>",
      "with level 7: scripts at this commit of the catalog's git checkout are earlier versions too",
    )
    .option("--apps <path>", APPS_HELP)
    .addOption(
      new Option("--format <format>", "the report").choices(["table", ...Object.keys(REPORTS)]).default("table"),
    )
    .option("--out <file>", "writes the report to a file, and shows the table")
    .option("--watch", "goes on until Ctrl-C: what a changed file touches is checked again")
    .action(async (apps: readonly string[], options: Options) => {
      const { format, out, level, from } = options;
      if (from !== undefined && level < CHANGES.number)
        throw new EngineError("CLI_USAGE", `--from needs --level ${CHANGES.number} or above`);
      if (options.watch === true) return await watch(apps, options, terminal);
      if (out !== undefined && format === "table")
        throw new EngineError("CLI_USAGE", "--out needs --format json, junit, html or sarif");
      // before minutes are spent
      if (out !== undefined) write(out, "");
      const isShown = format === "table" || out !== undefined;
      const result = await check(apps, options, isShown, terminal);
      if (isShown) terminal.stdout.write(`${renderSummary(result)}\n`);
      const report = format === "table" ? "" : REPORTS[format](result);
      if (out === undefined) terminal.stdout.write(report);
      else write(out, report);
      if (result.apps.some((app) => app.level < level)) terminal.exitCode = EXIT.failed;
    });
};

/** Ends with a signal, and then well: how apps stand is shown, and changes. */
async function watch(apps: readonly string[], options: Options, terminal: Terminal): Promise<void> {
  const { format, out, from } = options;
  if (from !== undefined) throw new EngineError("CLI_USAGE", "--watch takes no --from");
  if (out !== undefined || !["table", "json"].includes(format))
    throw new EngineError(
      "CLI_USAGE",
      "--watch shows a table, or with --format json a report a line; it writes no file",
    );
  const view = await createWatchView(terminal, options, format === "json");
  try {
    await watchCheck(await readAsked(apps, options, terminal.signal), view);
  } finally {
    view.done();
  }
}

async function check(
  apps: readonly string[],
  options: Options,
  isShown: boolean,
  terminal: Terminal,
): Promise<CheckResult> {
  const { catalog, level } = options;
  const { signal } = terminal;
  const asked = await readAsked(apps, options, signal);
  const table = isShown ? await createCheckTable(terminal, options) : SILENT_TABLE;
  let ended = 0;
  const view: CheckView = {
    begin: (all) => table.begin(all),
    playing: (appId, number) => table.playing(appId, number),
    ended: (report) => {
      ended += 1;
      table.ended(report);
    },
  };
  try {
    return { catalog, level, apps: await runCheck(asked, view) };
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new EngineError(
      "CLI_INTERRUPTED",
      `interrupted when ${ended} ${ended === 1 ? "app was" : "apps were"} checked`,
    );
  } finally {
    table.done();
  }
}

async function readAsked(apps: readonly string[], options: Options, signal: AbortSignal): Promise<CheckOptions> {
  const { catalog, level, strict = false, jobs, limit, seed, from } = options;
  const now = () => performance.now();
  const asked = { catalog, apps, level, strict, jobs, limitMs: limit * 1000, seed, signal, now };
  const schemas = options.apps === undefined ? {} : { schemas: await openAppSchemas(options.apps) };
  return { ...asked, ...schemas, ...(from === undefined ? {} : { from }) };
}

function printable(document: unknown): string {
  return `${escapeControlCharacters(JSON.stringify(document, null, 2))}\n`;
}

function write(file: string, text: string): void {
  try {
    writeOutput(file, text);
  } catch (error) {
    throw new EngineError("CLI_FILE_UNWRITABLE", `can't write "${file}": ${readMessage(error)}`, { file }, error);
  }
}

function toLevel(text: string): number {
  const level = toCount(text);
  if (level <= HIGHEST) return level;
  throw new InvalidArgumentError(`there are the levels 1 to ${HIGHEST}`);
}

function toCount(text: string): number {
  const count = Number(text);
  if (Number.isSafeInteger(count) && count >= 1) return count;
  throw new InvalidArgumentError("allowed is a whole number from 1 on");
}
