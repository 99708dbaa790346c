/** `slipway check`: plays the apps of a catalog and says how far each can be trusted. */
import { writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { InvalidArgumentError, Option } from "commander";
import { HIGHEST, LEVELS } from "../../../check/levels/levels.ts";
import { toHtml } from "../../../check/reports/html.ts";
import { type CheckResult, toCheckDocument } from "../../../check/reports/json.ts";
import { toJunit } from "../../../check/reports/junit.ts";
import { toCheckSarif } from "../../../check/reports/sarif.ts";
import { renderSummary } from "../../../check/reports/table.ts";
import { type CheckOptions, type CheckView, runCheck } from "../../../check/run-check.ts";
import { EngineError } from "../../../core/codes/problems.ts";
import { readMessage } from "../../../core/json/read-message.ts";
import { escapeControlCharacters } from "../../../core/report/plain-text.ts";
import type { DefineCommand } from "../../command.ts";
import { createCheckTable, SILENT_TABLE } from "../../ui/check-table.ts";
import { EXIT } from "../../ui/exit.ts";
import type { Terminal } from "../../ui/terminal.ts";

interface Options {
  readonly catalog: string;
  readonly level: number;
  readonly strict?: boolean;
  readonly jobs: number;
  readonly limit: number;
  readonly seed: number;
  readonly format: "table" | ReportFormat;
  readonly out?: string;
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
    .addOption(
      new Option("--format <format>", "the report").choices(["table", ...Object.keys(REPORTS)]).default("table"),
    )
    .option("--out <file>", "writes the report to a file, and shows the table")
    .action(async (apps: readonly string[], options: Options) => {
      const { format, out, level } = options;
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

async function check(
  apps: readonly string[],
  options: Options,
  isShown: boolean,
  terminal: Terminal,
): Promise<CheckResult> {
  const { catalog, level, strict = false, jobs, limit, seed } = options;
  const { signal } = terminal;
  const table = isShown ? await createCheckTable(terminal, options) : SILENT_TABLE;
  const asked: CheckOptions = {
    catalog,
    apps,
    level,
    strict,
    jobs,
    limitMs: limit * 1000,
    seed,
    signal,
    now: () => performance.now(),
  };
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
    throw new EngineError("CLI_INTERRUPTED", `interrupted when ${ended} apps were checked`);
  } finally {
    table.done();
  }
}

function printable(document: unknown): string {
  return `${escapeControlCharacters(JSON.stringify(document, null, 2))}\n`;
}

function write(file: string, text: string): void {
  try {
    writeFileSync(file, text);
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
