/** `slipway dev`: a catalog is served while it is edited. */
import { Option } from "commander";
import { createPinoLogger } from "../../../adapters/logger-pino.ts";
import { nameStandinFolder } from "../../../compose-host.ts";
import { askControl } from "../../../standin/control/ask-control.ts";
import { readReady } from "../../../standin/ready.ts";
import type { DefineCommand } from "../../command.ts";
import { readAppPorts } from "../../dev/app-ports.ts";
import { Development } from "../../dev/develop.ts";
import { openFromOptions } from "../../options/connect.ts";
import { addDatabaseOption, STANDIN } from "../../options/database.ts";
import { addServingOptions, readServing, type ServingOptions, serveUntilSignal } from "../../options/serving.ts";

interface Options extends ServingOptions {
  readonly catalog: string;
  readonly db?: string;
  readonly standinSpeed?: string;
}

/** Seconds after which the embedded host ends once nobody is connected to it. */
const HOST_IDLE_S = 1;

/** `slipway dev --catalog DIR`: the engine on the embedded host until a signal, and every save looked at. */
export const defineDev: DefineCommand = (command, terminal) => {
  addServingOptions(addDatabaseOption(command))
    .requiredOption("--catalog <dir>", "folder of install scripts")
    .addOption(new Option("--standin-speed <n>", "divides the embedded host's durations").hideHelp())
    .action(async (options: Options) => {
      const { catalog } = options;
      const { signal, stdout } = terminal;
      const serving = readServing(options);
      const logger = createPinoLogger({ level: "warn" });
      const host = { host: STANDIN, standinIdleS: HOST_IDLE_S };
      const opened = await openFromOptions({ ...options, ...host }, terminal, logger);
      const { promise: failed, reject } = Promise.withResolvers<never>();
      failed.catch(() => undefined);
      const { engine, db } = opened;
      const offer = async (appId: string, fake: unknown): Promise<void> => {
        const address = readReady(nameStandinFolder(db));
        if (address !== undefined) await askControl(address, "setAnswers", [appId, fake]);
      };
      const appPorts = async (): Promise<ReadonlySet<number>> => {
        const address = readReady(nameStandinFolder(db));
        return address === undefined ? new Set() : await readAppPorts(address);
      };
      const development = new Development({ catalog, engine, terminal, offer, appPorts, failed: reject });
      const begin = async () => {
        await development.begin();
        return () => development.close();
      };
      try {
        await serveUntilSignal(serving, { engine, db, logger, pageLogs: true, begin, failed }, { signal, stdout });
      } finally {
        await development.close();
        await opened.close();
      }
    });
};
