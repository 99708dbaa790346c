import { fileURLToPath } from "node:url";
import { createPinoLogger } from "../../adapters/logger-pino.ts";
import type { Engine } from "../../engine/api.ts";
import type { Logger } from "../../engine/ports/environment.ts";
import type { MetricsServer } from "../../http/metrics-server.ts";
import type { DefineCommand } from "../command.ts";
import { addEngineOptions, type CommandEngine, type EngineOptions, openFromOptions } from "../options/connect.ts";
import { addMetricsOptions, type MetricsOptions, openMetrics, readMetricsChoice } from "../options/metrics.ts";
import { addOperatorOptions, type OperatorOptions, readOperatorChoice } from "../options/operator.ts";
import {
  addServingOptions,
  parseSeconds,
  readServing,
  type ServingOptions,
  serveUntilSignal,
} from "../options/serving.ts";
import type { Terminal } from "../ui/terminal.ts";

interface ServeOptions extends EngineOptions, OperatorOptions, MetricsOptions, ServingOptions {
  readonly syncEvery?: string;
  readonly answers?: string;
}

/** `serve`: the engine behind HTTP until SIGTERM; by default on the demo catalog and the stand-in. */
export const defineServe: DefineCommand = (command, terminal) => {
  addServingOptions(addMetricsOptions(addOperatorOptions(addEngineOptions(command))))
    .option("--answers <dir>", "folder of <app>.json tables: what apps answer on the stand-in")
    .option("--git-pull", "the catalog is a git checkout: fast-forward it before it is read again")
    .option("--sync-every <seconds>", "how often to read the catalog again", "60")
    .action(async (options: ServeOptions) => {
      const { signal, stdout } = terminal;
      const serving = readServing(options);
      const measured = readMetricsChoice(options);
      const syncMs = parseSeconds(options.syncEvery ?? "60") * 1000;
      const logger = createPinoLogger({ level: options.logLevel });
      // before the engine: where their port is taken, nothing is begun
      const metrics = measured === null ? undefined : await openMetrics(measured, logger);
      const { engine, db, close } = await openServed(options, logger, metrics, terminal);
      const begin = async () => {
        const syncAndLog = createSyncLog(engine, logger);
        if (options.gitPull === true) void syncAndLog();
        const sync = setInterval(() => void syncAndLog(), syncMs);
        return async () => clearInterval(sync);
      };
      const told = metrics === undefined ? {} : { metrics: metrics.url };
      try {
        const served = { engine, db, logger, told, pageLogs: options.dev === true, begin };
        await serveUntilSignal(serving, served, { signal, stdout });
      } finally {
        await close();
        await metrics?.close();
      }
    });
};

/** The engine that is served, and measured where metrics were asked for: their server is closed where it can't be opened. */
async function openServed(
  options: ServeOptions,
  logger: Logger,
  metrics: MetricsServer | undefined,
  terminal: Terminal,
): Promise<CommandEngine> {
  try {
    const served = { catalog: DEMO_CATALOG, ...options, standinAnswers: options.answers };
    return await openFromOptions(served, terminal, logger, {
      ...readOperatorChoice(options),
      ...(metrics && { telemetry: { meterProvider: metrics.meterProvider } }),
    });
  } catch (error) {
    await metrics?.close();
    throw error;
  }
}

/** Syncs the catalog and logs what changed, and its problems when they are others than at the last sync. */
function createSyncLog(engine: Engine, logger: Logger): () => Promise<void> {
  let told = "[]";
  return async () => {
    try {
      const { added, changed, removed, problems } = await engine.syncCatalog();
      if (added.length + changed.length + removed.length > 0)
        logger.info({ added, changed, removed }, "catalog changed");
      const found = JSON.stringify(problems);
      if (found === told) return;
      told = found;
      for (const { file, problems: ofFile } of problems) logger.warn({ file, problems: ofFile }, "catalog problems");
    } catch (error) {
      logger.warn({ error }, "catalog sync failed");
    }
  };
}

const DEMO_CATALOG = fileURLToPath(new URL("../../../scripts/demo/catalog", import.meta.url));
