/** The options every command with an engine shares, and what they open. */
import { resolve } from "node:path";
import { type Command, Option } from "commander";
import { z } from "zod";
import type { HostTls } from "../../adapters/host-rpc/tls.ts";
import { createPinoLogger } from "../../adapters/logger-pino.ts";
import type { EngineChoice, OpenedEngine } from "../../compose.ts";
import type { HostChoice } from "../../compose-host.ts";
import { EngineError } from "../../core/codes/problems.ts";
import type { Engine } from "../../engine/api.ts";
import type { Logger } from "../../engine/ports/environment.ts";
import type { Terminal } from "../ui/terminal.ts";
import { addDatabaseOption, prepareDatabase, STANDIN } from "./database.ts";
import { readJsonFile, readTextFile } from "./files.ts";
import { readLocalRoot } from "./local-root.ts";

/** Options of every command that opens an engine, as commander hands them over. */
export interface EngineOptions {
  readonly host: string;
  readonly db?: string;
  readonly catalog?: string;
  readonly hostUser?: string;
  readonly apiKeyFile?: string;
  readonly ca?: string;
  readonly fingerprint?: string;
  readonly insecure?: boolean;
  readonly locations?: string;
  readonly localRoot?: string;
  readonly standinSpeed?: string;
  /** Seconds after which a stand-in ends that nobody is connected to. */
  readonly standinIdleS?: number;
  /** Folder of tables: what apps answer on the stand-in. */
  readonly standinAnswers?: string | undefined;
  readonly dev?: boolean;
  readonly allowWeakSandbox?: boolean;
  readonly gitPull?: boolean;
}

/** Adds the options that say which host, database and catalog a command works with. */
export function addEngineOptions(command: Command): Command {
  return addDatabaseOption(command)
    .option("--catalog <dir>", "directory of install scripts")
    .option("--host <host>", `the host: "${STANDIN}", or wss://ADDRESS`, STANDIN)
    .option("--host-user <name>", "account on the host")
    .option("--api-key-file <file>", "file that holds the account's API key")
    .option("--ca <file>", "certificate authority of the host (PEM)")
    .option("--fingerprint <hex>", "SHA-256 fingerprint of the host's certificate")
    .option("--insecure", "accept any certificate of the host; with ws:// only for a stand-in")
    .option("--locations <file>", "locations of a real host: JSON of location id to path")
    .option("--local-root <dir>", "where this machine sees a real host's files: its /mnt/x is DIR/mnt/x here")
    .addOption(new Option("--standin-speed <n>", "divides the stand-in's durations").hideHelp())
    .option("--dev", "show internal apps, and run scripts in a weak sandbox too")
    .option(
      "--allow-weak-sandbox",
      "run scripts even without a user and a network of their own (implied by a stand-in)",
    );
}

const Locations = z.record(z.string(), z.string().startsWith("/"));

/** An engine a command has opened, and its database. */
export interface CommandEngine extends OpenedEngine {
  readonly db: string;
}

/**
 * Opens the engine the options describe, and `more`; `recover` has run. Says in a line where the database is unless it was
 * named, and in one when scripts run in a weak sandbox. Without a logger only errors are logged.
 */
export async function openFromOptions(
  options: EngineOptions,
  terminal: Pick<Terminal, "stderr">,
  logger: Logger = createPinoLogger({ level: "error" }),
  more: Partial<EngineChoice> = {},
): Promise<CommandEngine> {
  const host = readHostChoice(options);
  const db = prepareDatabase(options, terminal);
  const choice: EngineChoice = {
    ...warnOfWeakSandbox(terminal),
    ...more,
    host,
    db,
    ...(options.catalog !== undefined && { catalog: resolve(options.catalog) }),
    production: options.dev !== true,
    // a stand-in is for development: the machine need not be an appliance
    ...((options.allowWeakSandbox === true || options.host === STANDIN) && { allowWeakSandbox: true }),
    ...(options.gitPull === true && { gitPull: true }),
    command: `slipway ${process.argv[2] ?? ""}`.trim(),
    logger,
  };
  // most commands may also ask a running engine, and need none of their own then
  const { openEngine } = await import("../../compose.ts");
  return { ...(await openEngine(choice)), db };
}

/**
 * Opens the engine the options describe for one action, hands it out and closes it. Throws `CLI_INTERRUPTED` when a signal
 * came before it was open: nothing is begun then.
 */
export async function withEngine(
  options: EngineOptions,
  terminal: Terminal,
  act: (engine: Engine) => Promise<void>,
): Promise<void> {
  const { signal } = terminal;
  const opened = await openFromOptions(options, terminal, undefined, { unattended: false });
  try {
    if (signal.aborted) throw new EngineError("CLI_INTERRUPTED", "interrupted before anything was begun");
    await act(opened.engine);
  } finally {
    await opened.close();
  }
}

/** One line on stderr says that scripts run in a weak sandbox, and why. */
function warnOfWeakSandbox({ stderr }: Pick<Terminal, "stderr">): Required<Pick<EngineChoice, "onWeakSandbox">> {
  return {
    onWeakSandbox: (missing) => {
      stderr.write(`warning: scripts run with the isolation this machine gives, without ${missing}\n`);
    },
  };
}

function readHostChoice(options: EngineOptions): HostChoice {
  if (options.host === STANDIN) {
    if (options.localRoot !== undefined) {
      throw new EngineError(
        "CLI_USAGE",
        "--local-root is for a real host: the stand-in's files lie beside the database",
      );
    }
    const { standinSpeed, standinAnswers, standinIdleS } = options;
    return {
      kind: "standin",
      ...(standinSpeed !== undefined && { speed: Number(standinSpeed) }),
      ...(standinIdleS !== undefined && { idleExitS: standinIdleS }),
      ...(standinAnswers !== undefined && { answers: resolve(standinAnswers) }),
    };
  }
  if (options.standinAnswers !== undefined) {
    throw new EngineError("CLI_USAGE", "--answers is for the stand-in: a real host's apps answer themselves");
  }
  if (!/^wss?:\/\//.test(options.host)) {
    throw new EngineError("CLI_USAGE", `"${options.host}" is not a host; use "${STANDIN}" or wss://ADDRESS`);
  }
  const { hostUser, apiKeyFile } = options;
  if (hostUser === undefined || apiKeyFile === undefined || options.locations === undefined) {
    throw new EngineError("CLI_USAGE", "a real host needs --host-user, --api-key-file and --locations");
  }
  const locations = readJsonFile(options.locations, Locations);
  const localRoot = options.localRoot === undefined ? undefined : readLocalRoot(options.localRoot, locations);
  return {
    kind: "rpc",
    url: options.host,
    username: hostUser,
    apiKey: readTextFile(apiKeyFile).trim(),
    locations,
    ...(localRoot !== undefined && { localRoot }),
    ...readTlsChoice(options),
    ...(options.insecure === true && { trustPlaintext: true }),
  };
}

/** At most one way of trusting the host's certificate; none trusts the system's authorities. */
function readTlsChoice({ ca, fingerprint, insecure }: EngineOptions): { readonly tls?: HostTls } {
  const ways = [ca, fingerprint, insecure].filter((way) => way !== undefined);
  if (ways.length > 1) throw new EngineError("CLI_USAGE", "--ca, --fingerprint and --insecure exclude each other");
  if (ca !== undefined) return { tls: { ca: readTextFile(ca) } };
  if (fingerprint !== undefined) return { tls: { fingerprint } };
  return insecure === true ? { tls: { insecure: true } } : {};
}
