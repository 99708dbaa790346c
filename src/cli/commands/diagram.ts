import { machines } from "../../../machines/index.ts";
import { EngineError } from "../../core/codes/problems.ts";
import { drawMachine } from "../../engine/replay/diagram.ts";
import type { DefineCommand } from "../command.ts";
import { formatOption } from "../ui/format.ts";
import { printJson } from "../ui/terminal.ts";

/** `slipway diagram [MACHINE]`: Mermaid as text; as JSON the machine's own config, which Stately's editor imports. */
export const defineDiagram: DefineCommand = (command, terminal) => {
  command
    .argument("[machine]", `one of ${Object.keys(machines).join(", ")}`)
    .addOption(formatOption())
    .action((id: string | undefined, { format }: { readonly format: string }) => {
      const drawn = Object.values(machines).filter((registered) => id === undefined || registered.id === id);
      if (drawn.length === 0) {
        const known = Object.keys(machines).join(", ");
        throw new EngineError("CLI_USAGE", `"${id}" is not a machine; allowed are ${known}`);
      }
      if (format === "json") {
        const rows = drawn.map(({ id, version, machine }) => ({ id, version, config: machine.config }));
        printJson(terminal, { machines: rows });
        return;
      }
      for (const { id, version, machine } of drawn) {
        terminal.stdout.write(`%% ${id} ${version}\n${drawMachine(machine)}\n`);
      }
    });
};
