#!/usr/bin/env node
import { realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Command, CommanderError } from "commander";
import { EngineError } from "../core/problems.ts";
import type { RegisterCommand } from "./command.ts";
import { registerDiagram } from "./diagram.ts";
import { EXIT } from "./exit.ts";
import { registerExplain } from "./explain.ts";
import { registerHealth } from "./health.ts";
import { registerInstall } from "./install.ts";
import { registerPairings } from "./pairings.ts";
import { registerPlan } from "./plan.ts";
import { registerReplay } from "./replay.ts";
import { registerRunHook } from "./run-hook.ts";
import { registerSchema } from "./schema.ts";
import { registerServe } from "./serve.ts";
import { registerStandin } from "./standin.ts";
import { registerTasks } from "./tasks.ts";
import { plainTerminal, printError, type Terminal } from "./terminal.ts";
import { registerValidate } from "./validate.ts";

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
