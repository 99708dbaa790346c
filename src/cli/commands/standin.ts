import { readdirSync } from "node:fs";
import { InvalidArgumentError, Option } from "commander";
import { readSchemaEntries } from "../../adapters/app-schemas/schema-file.ts";
import { createFileUnreadableError } from "../../core/codes/common-errors.ts";
import type { Json } from "../../core/json/json.ts";
import { readTables } from "../../standin/apps/read-tables.ts";
import { FAULTS } from "../../standin/faults.ts";
import { waitUntilIdle } from "../../standin/idle.ts";
import { GENERATIONS, type HostGeneration } from "../../standin/settings.ts";
import { createStandinHost } from "../../standin/standin.ts";
import { refuseBroughtDirectory } from "../../standin/state-directory.ts";
import type { DefineCommand } from "../command.ts";
import type { Terminal } from "../ui/terminal.ts";

interface Options {
  readonly dir: string;
  readonly listen: { readonly address: string; readonly port: number };
  readonly catalog: readonly string[];
  readonly answers?: string;
  readonly schemas?: string;
  readonly speed: number;
  readonly fault: readonly string[];
  readonly generation: HostGeneration;
  readonly idleExit?: number;
}

/** `slipway standin`: runs the embedded host alone until SIGTERM, or until it has been idle for `--idle-exit` seconds. */
export const defineStandin: DefineCommand = (command, terminal) => {
  command
    .requiredOption("--dir <dir>", "directory of its state and files")
    .addOption(
      new Option("--listen <addr:port>", "address of the API socket")
        .argParser(parseListen)
        .default({ address: "127.0.0.1", port: 0 }, "127.0.0.1:0"),
    )
    .addOption(
      new Option("--catalog <dir...>", "folders of install scripts whose apps the host offers").default([], "none"),
    )
    .option("--answers <dir>", "folder of <app>.json tables: what the apps answer over HTTP")
    .option(
      "--schemas <file>",
      "JSON of apps' schemas {app, train, version, questions}, which their values are held against",
    )
    .option("--speed <n>", "divides every duration", parsePositive, 1)
    .addOption(
      new Option("--fault <name...>", "faults to arm: NAME[@METHOD[:PERCENT]][*TIMES][=VALUE]").default([], "none"),
    )
    .option("--generation <version>", GENERATIONS.join(", "), parseGeneration, "25.10")
    .option("--idle-exit <seconds>", "end after this long without a client or a job", parsePositive)
    .addHelpText("after", () => `\nFaults:\n${listFaults()}`)
    .action((options: Options) => runStandin(options, terminal));
};

function listFaults(): string {
  return Object.entries(FAULTS)
    .map(([name, { does }]) => `  ${name.padEnd(22)} ${does}`)
    .join("\n");
}

async function runStandin(options: Options, terminal: Terminal): Promise<void> {
  const { signal } = terminal;
  for (const folder of options.catalog) requireFolder(folder);
  refuseBroughtDirectory(options.dir, options.catalog);
  const host = await createStandinHost({
    dir: options.dir,
    listen: options.listen,
    catalogs: options.catalog,
    speed: options.speed,
    faults: options.fault,
    generation: options.generation,
    ...(options.answers !== undefined && { answers: readTables(options.answers) }),
    ...(options.schemas !== undefined && { schemas: await listSchemas(options.schemas) }),
    onCall: ({ sequence, method, params }) => {
      terminal.stderr.write(`${sequence} ${method} ${JSON.stringify(params)}\n`);
    },
  });
  try {
    const { url, username, apiKey } = host;
    terminal.stdout.write(`${JSON.stringify({ url, username, apiKey })}\n`);
    await waitUntilIdle(host, options.idleExit, signal);
  } finally {
    await host.close();
  }
}

async function listSchemas(file: string): Promise<Json> {
  return (await readSchemaEntries(file)).map(({ value }) => value);
}

function requireFolder(folder: string): void {
  try {
    readdirSync(folder);
  } catch (error) {
    throw createFileUnreadableError(folder, error);
  }
}

function parseListen(text: string): { address: string; port: number } {
  const [, address, port] = /^\[?([^\]]*)\]?:(\d{1,5})$/.exec(text) ?? [];
  if (address === undefined || address === "" || Number(port) > 65_535) {
    throw new InvalidArgumentError("allowed is ADDR:PORT");
  }
  return { address, port: Number(port) };
}

function parsePositive(text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new InvalidArgumentError("allowed is a number above 0");
  return value;
}

function parseGeneration(text: string): HostGeneration {
  const known = GENERATIONS.find((generation) => generation === text);
  if (known !== undefined) return known;
  throw new InvalidArgumentError(`allowed are ${GENERATIONS.join(", ")}`);
}
