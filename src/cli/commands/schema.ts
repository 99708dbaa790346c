import { scriptJsonSchema } from "../../core/script/script-json-schema.ts";
import type { RegisterCommand } from "../command.ts";
import { formatOption } from "../ui/format.ts";
import { printJson } from "../ui/terminal.ts";

/** `slipway schema`: the JSON Schema of install scripts, for editors (`"$schema": "./script.schema.json"`); JSON in every format. */
export const registerSchema: RegisterCommand = (program, terminal) => {
  program
    .command("schema")
    .description("Prints the JSON Schema of install scripts")
    .addOption(formatOption())
    .action(() => printJson(terminal, scriptJsonSchema()));
};
