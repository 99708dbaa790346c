#!/usr/bin/env node
import { realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Command, CommanderError } from "commander";
import { EngineError } from "../core/codes/problems.ts";
import type { RegisterCommand } from "./command.ts";
import { registerDiagram } from "./commands/diagram.ts";
import { registerExplain } from "./commands/explain.ts";
import { registerHealth } from "./commands/health.ts";
import { registerInstall } from "./commands/install.ts";
import { registerPairings } from "./commands/pairings.ts";
import { registerPlan } from "./commands/plan.ts";
import { registerReplay } from "./commands/replay.ts";
import { registerRunHook } from "./commands/run-hook.ts";
import { registerSchema } from "./commands/schema.ts";
import { registerServe } from "./commands/serve.ts";
import { registerStandin } from "./commands/standin.ts";
import { registerTasks } from "./commands/tasks.ts";
import { registerValidate } from "./commands/validate.ts";
import { EXIT } from "./ui/exit.ts";
import { plainTerminal, printError, type Terminal } from "./ui/terminal.ts";

const COMMANDS: readonly RegisterCommand[] = [
  registerValidate,
  registerExplain,
  registerSchema,
  registerPlan,
  registerRunHook,
  registerHealth,
  registerPairings,
  registerInstall,
  registerTasks,
  registerServe,
  registerStandin,
  registerDiagram,
  registerReplay,
];

/** Runs one command line (without `node` and the script's name); the exit code is left on the terminal. */
export async function main(args: readonly string[], given: Terminal): Promise<void> {
  const terminal = plainTerminal(given);
  const program = new Command("slipway")
    .description("Installs, upgrades and links catalog apps on a storage appliance")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.stdout.write(text),
      writeErr: (text) => terminal.stderr.write(text),
      // Shown below, like any other error.
      outputError: () => {},
    });
  for (const register of COMMANDS) register(program, terminal);
  const format = /(?:^| )--format[= ]json(?: |$)/.test(args.join(" ")) ? "json" : "text";
  try {
    await program.parseAsync(args, { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return;
    if (error instanceof CommanderError) {
      const message =
        error.code === "commander.help"
          ? "no command is given"
          : error.message.replace(/^error: /, "").replaceAll("\n", " ");
      return printError(terminal, new EngineError("CLI_USAGE", message), format);
    }
    if (!(error instanceof EngineError)) throw error;
    printError(terminal, error, format);
  }
}

function isEntry(): boolean {
  const script = process.argv[1];
  return script !== undefined && realpathSync(script) === fileURLToPath(import.meta.url);
}

if (isEntry()) {
  const stop = new AbortController();
  let listens = false;
  // A reader that has seen enough (`slipway tasks | head -1`) is no error.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    stop.abort();
  });
  const terminal: Terminal = {
    stdout: process.stdout,
    stderr: process.stderr,
    stdin: process.stdin,
    get signal() {
      // Not before a command asks: one that has nothing to end ends the way a signal ends any process.
      if (!listens) for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => stop.abort());
      listens = true;
      return stop.signal;
    },
    exitCode: EXIT.done,
  };
  await main(process.argv.slice(2), terminal);
  process.exitCode = terminal.exitCode;
}
