import { Command, CommanderError } from "commander";
import packageJson from "../../package.json" with { type: "json" };
import { EngineError } from "../core/codes/problems.ts";
import { COMMANDS } from "./command-table.ts";
import { toEngineError } from "./ui/system-error.ts";
import { createPlainTerminal, printError, type Terminal } from "./ui/terminal.ts";

/** Runs one command line (without `node` and the script's name); the exit code is left on the terminal. */
export async function main(args: readonly string[], given: Terminal): Promise<void> {
  const terminal = createPlainTerminal(given);
  const program = await createProgram(args, terminal);
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
    printError(terminal, toEngineError(error), format);
  }
}

/** The program with every command by name; only those the arguments name are loaded. */
async function createProgram(args: readonly string[], terminal: Terminal): Promise<Command> {
  const program = new Command("slipway")
    .description("Installs, upgrades and links catalog apps on a storage appliance")
    .version(packageJson.version, "-V, --version", "shows the version")
    .helpOption("-h, --help", "shows this help")
    .helpCommand("help [command]", "Shows the help of a command")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.stdout.write(text),
      writeErr: (text) => terminal.stderr.write(text),
      // Shown by main, like any other error.
      outputError: () => {},
    });
  for (const { name, summary, load } of COMMANDS) {
    const command = program.command(name).description(summary);
    if (!args.includes(name)) continue;
    const define = await load();
    define(command, terminal);
  }
  await addCompletion(program, args);
  return program;
}

const COMPLETION = "Prints the completion script of a shell";

/** `completion SHELL` prints a shell's script; the script calls `complete`, which is hidden and loads the command typed. */
async function addCompletion(program: Command, args: readonly string[]): Promise<void> {
  if (args[0] === "completion" || args[0] === "complete") {
    const { default: tab } = await import("@bomb.sh/tab/commander");
    tab(program, { completionCommandName: "completion" });
    const command = program.commands.find((each) => each.name() === "completion")?.description(COMPLETION);
    for (const argument of command?.registeredArguments ?? []) argument.description = "the shell";
  } else {
    program.command("completion").argument("<shell>").description(COMPLETION);
  }
}
