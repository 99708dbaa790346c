import { scriptJsonSchema } from "../core/script-json-schema.ts";
import type { RegisterCommand } from "./command.ts";
import { printJson } from "./terminal.ts";

/** `slipway schema`: the JSON Schema of install scripts, for editors (`"$schema": "./script.schema.json"`). */
export const registerSchema: RegisterCommand = (program, terminal) => {
  program
    .command("schema")
    .description("Prints the JSON Schema of install scripts")
    .action(() => printJson(terminal, scriptJsonSchema()));
};
