/** `slipway check`: plays the apps of a catalog and says how far each can be trusted. */
import { availableParallelism } from "node:os";
import { InvalidArgumentError, Option } from "commander";
import { HIGHEST, LEVELS } from "../../../check/levels/levels.ts";
import { type CheckResult, toCheckDocument } from "../../../check/reports/json.ts";
import { renderSummary } from "../../../check/reports/table.ts";
import { type CheckOptions, type CheckView, runCheck } from "../../../check/run-check.ts";
import { EngineError } from "../../../core/codes/problems.ts";
import type { DefineCommand } from "../../command.ts";
import { createCheckTable, SILENT_TABLE } from "../../ui/check-table.ts";
import { EXIT } from "../../ui/exit.ts";
import { printJson, type Terminal } from "../../ui/terminal.ts";

interface Options {
  readonly catalog: string;
  readonly level: number;
  readonly strict?: boolean;
  readonly jobs: number;
  readonly limit: number;
  readonly seed: number;
  readonly format: "table" | "json";
}

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
    .addOption(new Option("--format <format>", "what to print").choices(["table", "json"]).default("table"))
    .action(async (apps: readonly string[], options: Options) => {
      const result = await check(apps, options, terminal);
      if (options.format === "json") printJson(terminal, toCheckDocument(result, LEVELS));
      else terminal.stdout.write(`${renderSummary(result)}\n`);
      if (result.apps.some(({ level }) => level < options.level)) terminal.exitCode = EXIT.failed;
    });
};

async function check(apps: readonly string[], options: Options, terminal: Terminal): Promise<CheckResult> {
  const { catalog, level, strict = false, jobs, limit, seed, format } = options;
  const { signal } = terminal;
  const table = format === "table" ? await createCheckTable(terminal, options) : SILENT_TABLE;
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
