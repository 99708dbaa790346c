import { randomBytes } from "node:crypto";
import { createPinoLogger } from "../../adapters/logger-pino.ts";
import { openReader } from "../../adapters/store-sqlite/open-store.ts";
import { EngineError } from "../../core/codes/problems.ts";
import { startHttpServer } from "../../http/server.ts";
import type { DefineCommand } from "../command.ts";
import { createInspectedEngine } from "../inspect/inspected-engine.ts";
import { startRelay } from "../inspect/relay.ts";
import { findServedPage } from "../inspect/served-page.ts";
import { findDatabase, locateDatabase } from "../options/database.ts";
import type { Terminal } from "../ui/terminal.ts";

interface InspectOptions {
  readonly catalog?: string;
  readonly api?: string;
  readonly tokenFile?: string;
  /** False with `--no-token`. */
  readonly token: boolean;
  readonly port: string;
  readonly relay?: string;
}

/** Where the page lists tasks. */
const PATH = "/activity";

/**
 * `slipway inspect [DB]`: shows the tasks of a database on the page, until SIGTERM; it is read, never written. With `--api`
 * says where a running service shows it, which proves itself by the lock of DB. Prints `{url}` on one line, with `token` and
 * `relay` where there are any.
 */
export const defineInspect: DefineCommand = (command, terminal) => {
  command
    .argument("[db]", "database file; may be in use")
    .option("--catalog <dir>", "instead: the database a catalog has in the user's state folder")
    .option("--api <url>", "a running `slipway serve` instead of a database")
    .option("--token-file <file>", "file that holds the service's bearer token (default: DB.token)")
    .option("--no-token", "ask nobody for a token: every user of the machine may look")
    .option("--port <port>", "port on 127.0.0.1 to show the page at", "0")
    .option(
      "--relay <port>",
      "port on 127.0.0.1 for Stately's inspector (0: a free one); every user of the machine may read",
    )
    .action(async (db: string | undefined, options: InspectOptions) => {
      const { api, catalog, tokenFile } = options;
      const named = { ...(db !== undefined && { db }), ...(catalog !== undefined && { catalog }) };
      if (api === undefined) return showDatabase(locateDatabase(named), options, terminal);
      if (options.relay !== undefined) {
        throw new EngineError("CLI_USAGE", "--api shows a running service, which has no --relay");
      }
      const url = await findServedPage({ api, db: findDatabase(named), ...(tokenFile !== undefined && { tokenFile }) });
      print(terminal, { url: `${url}${PATH}` });
    });
};

async function showDatabase(db: string, options: InspectOptions, terminal: Terminal): Promise<void> {
  const port = readPort(options.port);
  const relayPort = options.relay === undefined ? undefined : readPort(options.relay);
  const token = options.token ? randomBytes(24).toString("base64url") : undefined;
  const store = openReader(db);
  try {
    const server = await startHttpServer(createInspectedEngine(store), {
      address: "127.0.0.1",
      port,
      logger: createPinoLogger({ level: "error" }),
      ...(token !== undefined && { token }),
    });
    try {
      const relay = relayPort === undefined ? undefined : await startRelay(store, relayPort);
      print(terminal, { url: `${server.url}${PATH}`, ...(token && { token }), ...(relay && { relay: relay.url }) });
      await new Promise<void>((resolve) => {
        if (terminal.signal.aborted) resolve();
        else terminal.signal.addEventListener("abort", () => resolve(), { once: true });
      });
      await relay?.close();
    } finally {
      await server.close();
    }
  } finally {
    store.close();
  }
}

function readPort(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new EngineError("CLI_USAGE", `"${text}" is not a port from 0 to 65535`);
}

function print(
  terminal: Terminal,
  shown: { readonly url: string; readonly token?: string; readonly relay?: string },
): void {
  terminal.stdout.write(`${JSON.stringify(shown)}\n`);
}
