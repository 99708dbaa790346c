/** The options of an engine that an operator sets once for a machine: `serve` has them, one-off commands do not. */
import { resolve } from "node:path";
import { type Command, InvalidArgumentError, Option } from "commander";
import type { LoggerOptions } from "../../adapters/logger-pino.ts";
import type { EngineChoice } from "../../compose.ts";

/** Options of who runs the engine, as commander hands them over. */
export interface OperatorOptions {
  readonly enforceRequirements?: boolean;
  /** `APP/WIDGET` each. */
  readonly trustWidget?: readonly string[];
  readonly witness?: string;
  readonly hooksAtOnce: number;
  readonly widgetsAtOnce: number;
  readonly keepTrees?: number;
  readonly keepEvents?: number;
  readonly keepLogs?: number;
  readonly keepSnapshots?: number;
  readonly keepMb?: number;
  readonly hostNetworkPort?: readonly number[];
  readonly ownPort?: readonly number[];
  readonly logLevel: NonNullable<LoggerOptions["level"]>;
}

/** Adds them. */
export function addOperatorOptions(command: Command): Command {
  return command
    .option("--enforce-requirements", "refuse installs whose specifications, permissions or ports are not met")
    .addOption(
      new Option("--trust-widget <app/widget...>", "widgets that may send more than GET and HEAD").argParser(
        collect(readWidget),
      ),
    )
    .option("--witness <file>", "tells an older copy of the database; best on another dataset (default: DB.witness)")
    .option("--hooks-at-once <n>", "most hooks that run at once; others wait", readWhole(1, 1_000), 16)
    .option("--widgets-at-once <n>", "most widgets that are asked at once", readWhole(1, 1_000), 4)
    .option(
      "--keep-trees <n>",
      "ended task trees that are kept with their events and logs (default: 200)",
      readWhole(0, 100_000),
    )
    .option("--keep-events <n>", "of those, trees that keep their events (default: 200)", readWhole(0, 100_000))
    .option(
      "--keep-logs <n>",
      "of those, trees that keep the logs of their hooks (default: 200)",
      readWhole(0, 100_000),
    )
    .option(
      "--keep-snapshots <n>",
      "ended task trees that keep the state of their machines (default: 1000)",
      readWhole(0, 100_000),
    )
    .option(
      "--keep-mb <n>",
      "MB of the database beyond which the oldest trees go earlier (default: 256)",
      readWhole(4, 1_000_000),
    )
    .addOption(
      new Option(
        "--host-network-port <port...>",
        "ports of apps on the host's own network, which publish none: you vouch that nothing else answers there",
      ).argParser(collect(readPort)),
    )
    .addOption(
      new Option(
        "--own-port <port...>",
        "ports a proxy before this server has: no script and no sign-in reaches them",
      ).argParser(collect(readPort)),
    )
    .addOption(
      new Option("--log-level <level>", "least severe line that is written")
        .choices(["debug", "info", "warn", "error", "silent"])
        .default("info"),
    );
}

/** The part of an engine's choice they make. */
export function readOperatorChoice(options: OperatorOptions): Partial<EngineChoice> {
  const { enforceRequirements, witness, hostNetworkPort, ownPort } = options;
  const trusted = new Set(options.trustWidget ?? []);
  return {
    concurrency: { hook: options.hooksAtOnce, widget: options.widgetsAtOnce },
    ...(enforceRequirements === true && { enforceRequirements }),
    ...(trusted.size > 0 && { trustedWidget: (appId, widgetId) => trusted.has(`${appId}/${widgetId}`) }),
    ...(witness !== undefined && { witness: resolve(witness) }),
    kept: readKeptChoice(options),
    ...(hostNetworkPort !== undefined && { hostNetworkPorts: hostNetworkPort }),
    ...(ownPort !== undefined && { ownPorts: ownPort }),
  };
}

function readKeptChoice(options: OperatorOptions): NonNullable<EngineChoice["kept"]> {
  const { keepTrees, keepEvents, keepLogs, keepSnapshots, keepMb } = options;
  return {
    ...(keepTrees !== undefined && { trees: keepTrees }),
    ...(keepEvents !== undefined && { events: keepEvents }),
    ...(keepLogs !== undefined && { logs: keepLogs }),
    ...(keepSnapshots !== undefined && { snapshots: keepSnapshots }),
    ...(keepMb !== undefined && { bytes: keepMb * 1024 * 1024 }),
  };
}

/** Commander hands one value after the other, with what was read before. */
function collect<Value>(read: (text: string) => Value): (text: string, before?: readonly Value[]) => readonly Value[] {
  return (text, before = []) => [...before, read(text)];
}

function readWidget(text: string): string {
  if (/^[^/]+\/[^/]+$/.test(text)) return text;
  throw new InvalidArgumentError("It is not APP/WIDGET, e.g. demo-media/library.");
}

function readWhole(least: number, most: number): (text: string) => number {
  return (text) => {
    const count = Number(text);
    if (Number.isInteger(count) && count >= least && count <= most) return count;
    throw new InvalidArgumentError(`It is not a whole number from ${least} to ${most}.`);
  };
}

function readPort(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 1 && port <= 65_535) return port;
  throw new InvalidArgumentError("It is not a port from 1 to 65535.");
}
