import { fileURLToPath } from "node:url";
import { createPinoLogger } from "../../adapters/logger-pino.ts";
import { EngineError } from "../../core/codes/problems.ts";
import type { Engine } from "../../engine/api.ts";
import type { Logger } from "../../engine/ports/environment.ts";
import { refuseOpenAddress, startHttpServer } from "../../http/server.ts";
import type { DefineCommand } from "../command.ts";
import { type MadeToken, makeToken, readToken } from "../options/api-token.ts";
import { addEngineOptions, type EngineOptions, openFromOptions } from "../options/connect.ts";
import { addOperatorOptions, type OperatorOptions, readOperatorChoice } from "../options/operator.ts";
import { byUser } from "../options/user.ts";

interface ServeOptions extends EngineOptions, OperatorOptions {
  readonly listen: string;
  readonly tokenFile?: string;
  /** False with `--no-token`. */
  readonly token: boolean;
  readonly allowHost?: readonly string[];
  readonly trustProxy?: boolean;
  readonly syncEvery?: string;
  readonly drainTimeout?: string;
  readonly answers?: string;
}

/** `serve`: the engine behind HTTP until SIGTERM; by default on the demo catalog and the stand-in. */
export const defineServe: DefineCommand = (command, terminal) => {
  addOperatorOptions(addEngineOptions(command))
    .option("--listen <addr:port>", "where to listen", "127.0.0.1:8765")
    .option(
      "--token-file <file>",
      "bearer token asked of every caller (default: a new one in DB.token); required beyond loopback",
    )
    .option("--no-token", "ask nobody for a token, for development on loopback: every user of the machine may call")
    .option("--allow-host <name...>", "names that may stand in the Host header")
    .option("--trust-proxy", "take the client's address from X-Forwarded-For")
    .option("--answers <dir>", "folder of <app>.json tables: what apps answer on the stand-in")
    .option("--git-pull", "the catalog is a git checkout: fast-forward it before it is read again")
    .option("--sync-every <seconds>", "how often to read the catalog again", "60")
    .option("--drain-timeout <seconds>", "how long hooks that can't be resumed may go on after SIGTERM", "30")
    .action(async (options: ServeOptions) => {
      const { signal } = terminal;
      const { address, port } = parseListen(options.listen);
      const named = options.tokenFile === undefined ? undefined : readToken(options.tokenFile);
      refuseOpenAddress(address, named);
      const syncMs = parseSeconds(options.syncEvery ?? "60") * 1000;
      const drainMs = parseSeconds(options.drainTimeout ?? "30") * 1000;
      const logger = createPinoLogger({ level: options.logLevel });
      const opened = await openFromOptions(
        { catalog: DEMO_CATALOG, ...options, standinAnswers: options.answers },
        logger,
        readOperatorChoice(options),
      );
      // Finding out what the sandbox gives takes longer than a health check may: it is known before the first one.
      opened.engine.health().catch(() => {});
      let made: MadeToken | undefined;
      try {
        if (named === undefined && options.token) made = makeToken(options.db);
        const token = named ?? made?.token;
        const server = await startHttpServer(opened.engine, {
          address,
          port,
          logger,
          allowedHosts: options.allowHost ?? [],
          trustProxy: options.trustProxy ?? false,
          ...(token !== undefined && { token }),
        });
        terminal.stdout.write(`${JSON.stringify({ url: server.url, ...(made && { tokenFile: made.file }) })}\n`);
        const syncAndLog = createSyncLog(opened.engine, logger);
        if (options.gitPull === true) void syncAndLog();
        const sync = setInterval(() => void syncAndLog(), syncMs);
        await awaitAbort(signal);
        clearInterval(sync);
        await opened.engine.drain({ deadlineMs: Math.round(drainMs), beforeClose: () => server.close() }, byUser());
      } finally {
        made?.remove();
        await opened.close();
      }
    });
};

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

/** `ADDR:PORT`, IPv6 addresses in brackets. */
function parseListen(text: string): { readonly address: string; readonly port: number } {
  const match = /^(?:\[([0-9a-f:.]+)\]|([^:]+)):(\d{1,5})$/i.exec(text);
  const port = Number(match?.[3]);
  const address = match?.[1] ?? match?.[2];
  if (address === undefined || port > 65_535) {
    throw new EngineError("CLI_USAGE", `"${text}" is not ADDR:PORT, e.g. 127.0.0.1:8765`);
  }
  return { address, port };
}

/** A day: more than 24 of them a timer takes for none at all. */
const LONGEST_SECONDS = 86_400;

function parseSeconds(text: string): number {
  const value = Number(text);
  if (value >= 1 && value <= LONGEST_SECONDS) return value;
  throw new EngineError("CLI_USAGE", `"${text}" is not a number of seconds from 1 to ${LONGEST_SECONDS}`);
}

function awaitAbort(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
