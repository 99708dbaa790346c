/** An engine behind HTTP until a signal, with the protections every command that serves one has. */
import type { Command } from "commander";
import { readLockOwner } from "../../adapters/store-sqlite/opening/lock.ts";
import { EngineError } from "../../core/codes/problems.ts";
import type { Engine } from "../../engine/api.ts";
import type { Logger } from "../../engine/ports/environment.ts";
import { startHttpServer } from "../../http/server.ts";
import { refuseOpenAddress } from "../../http/server-address.ts";
import type { Terminal } from "../ui/terminal.ts";
import { type MadeToken, makeToken, readToken } from "./api-token.ts";
import { parseListen } from "./listen.ts";
import { byUser } from "./user.ts";

/** Options of a command that serves, as commander hands them over. */
export interface ServingOptions {
  readonly listen: string;
  readonly tokenFile?: string;
  /** False with `--no-token`. */
  readonly token: boolean;
  readonly allowHost?: readonly string[];
  readonly proxySecretFile?: string;
  readonly drainTimeout?: string;
}

/** Adds them. */
export function addServingOptions(command: Command): Command {
  return command
    .option("--listen <addr:port>", "where to listen", "127.0.0.1:8765")
    .option(
      "--token-file <file>",
      "bearer token asked of every caller (default: a new one in DB.token); required beyond loopback",
    )
    .option("--no-token", "ask nobody for a token, for development on loopback: every user of the machine may call")
    .option("--allow-host <name...>", "names that may stand in the Host header")
    .option(
      "--proxy-secret-file <file>",
      "file with a secret: believe X-Forwarded-For and X-Forwarded-Proto of the proxy that sends it as X-Slipway-Proxy",
    )
    .option("--drain-timeout <seconds>", "how long hooks that can't be resumed may go on after SIGTERM", "30");
}

/** How an engine is served; made before it is opened, so that nothing is opened in vain. */
export interface Serving {
  readonly address: string;
  readonly port: number;
  readonly named: string | undefined;
  readonly proxySecret: string | undefined;
  readonly drainMs: number;
  readonly options: ServingOptions;
}

/** Reads the options. Throws `CLI_USAGE`, `HTTP_TOKEN_REQUIRED`, and what `readToken` throws for either file. */
export function readServing(options: ServingOptions): Serving {
  const { address, port } = parseListen(options.listen);
  const named = options.tokenFile === undefined ? undefined : readToken(options.tokenFile);
  refuseOpenAddress(address, named);
  const proxySecret = options.proxySecretFile === undefined ? undefined : readToken(options.proxySecretFile);
  return { address, port, named, proxySecret, drainMs: parseSeconds(options.drainTimeout ?? "30") * 1000, options };
}

/** What is served, and goes on meanwhile. */
export interface Served {
  readonly engine: Engine;
  readonly db: string;
  readonly logger: Logger;
  /** What its line says beside the address and the token's file. */
  readonly told?: Readonly<Record<string, string>>;
  /** The page shows the lines scripts write. */
  readonly pageLogs: boolean;
  /** Begun when the address is told; what it answers ends it, before the engine is drained. */
  begin(): Promise<() => Promise<void>>;
  /** Rejects where it can't go on. */
  readonly failed?: Promise<never>;
}

/** Serves until a signal and drains the engine then; closing it is the caller's. Throws `HTTP_LISTEN_FAILED`. */
export async function serveUntilSignal(
  { address, port, named, proxySecret, drainMs, options }: Serving,
  { engine, db, logger, told, pageLogs, begin, failed }: Served,
  { signal, stdout }: Pick<Terminal, "signal" | "stdout">,
): Promise<void> {
  // Finding out what the sandbox gives takes longer than a health check may: it is known before the first one.
  engine.health().catch(() => {});
  let made: MadeToken | undefined;
  try {
    if (named === undefined && options.token) made = makeToken(db);
    const token = named ?? made?.token;
    const lockNonce = readLockOwner(db)?.nonce;
    const server = await startHttpServer(engine, {
      address,
      port,
      logger,
      pageLogs,
      allowedHosts: options.allowHost ?? [],
      ...(proxySecret !== undefined && { proxySecret }),
      ...(lockNonce !== undefined && { lockNonce }),
      ...(token !== undefined && { token }),
    });
    stdout.write(`${JSON.stringify({ url: server.url, ...(made && { tokenFile: made.file }), ...told })}\n`);
    try {
      const end = await begin();
      await Promise.race([awaitAbort(signal), ...(failed === undefined ? [] : [failed])]);
      await end();
    } finally {
      await engine.drain({ deadlineMs: Math.round(drainMs), beforeClose: () => server.close() }, byUser());
    }
  } finally {
    made?.remove();
  }
}

/** A day: more than 24 of them a timer takes for none at all. */
const LONGEST_SECONDS = 86_400;

/** Seconds of an option, from 1 to a day. Throws `CLI_USAGE`. */
export function parseSeconds(text: string): number {
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
