import type { SandboxHealth } from "../../../sandbox/contract.ts";
import { createSandbox } from "../../../sandbox/sandbox.ts";
import { createScriptIo } from "../../adapters/script-io/script-io.ts";
import type { DefineCommand } from "../command.ts";
import { EXIT } from "../ui/exit.ts";
import { formatOption } from "../ui/format.ts";
import { printJson } from "../ui/terminal.ts";

interface HealthOptions {
  readonly format: "text" | "json";
  readonly allowWeakSandbox?: boolean;
}

/** `slipway health`: the isolation this machine gives scripts, as a live child shows it; exit 1 when a layer that must be is missing. */
export const defineHealth: DefineCommand = (command, terminal) => {
  command
    .option(
      "--allow-weak-sandbox",
      "judge as for an engine that runs scripts without a user and a network of their own",
    )
    .addOption(formatOption())
    .action(async ({ format, allowWeakSandbox = false }: HealthOptions) => {
      const health = await readHealth(allowWeakSandbox);
      if (format === "json") printJson(terminal, health);
      else terminal.stdout.write(describeSandbox(health));
      if (!health.usable) terminal.exitCode = EXIT.failed;
    });
};

async function readHealth(allowWeakSandbox: boolean): Promise<SandboxHealth> {
  const sandbox = createSandbox({ scriptIo: createScriptIo({ loopback: true }), allowWeakSandbox });
  try {
    return await sandbox.health();
  } finally {
    await sandbox.close();
  }
}

function describeSandbox({ usable, layers }: SandboxHealth): string {
  const lines = layers.map(({ name, mandatory, active, detail }) => {
    const mark = active ? "✓" : mandatory ? "✗" : "-";
    return `${mark} ${name}${mandatory ? "" : " (not mandatory)"}: ${detail}\n`;
  });
  return `${lines.join("")}${usable ? "scripts can be run" : "scripts are refused"} on this machine\n`;
}
