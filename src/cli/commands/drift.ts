/** `drift`: what the host has otherwise than the engine left it; exit 1 where there is something. */
import type { DefineCommand } from "../command.ts";
import { addTaskOptions, type TaskOptions, withTasks } from "../options/task-connection.ts";
import { renderDrift } from "../ui/drift-text.ts";
import { EXIT } from "../ui/exit.ts";
import { printJson } from "../ui/terminal.ts";

export const defineDrift: DefineCommand = (command, terminal) => {
  addTaskOptions(command).action((options: TaskOptions) =>
    withTasks(options, terminal, async (service) => {
      const drift = await service.lookForDrift();
      if (options.format === "json") printJson(terminal, drift);
      else terminal.stdout.write(`${renderDrift(drift).join("\n")}\n`);
      if (drift.failed !== undefined) terminal.exitCode = EXIT.usage;
      else if (drift.findings.length > 0) terminal.exitCode = EXIT.failed;
    }),
  );
};
