import { buildScriptJsonSchema } from "../../core/script/script-json-schema.ts";
import type { DefineCommand } from "../command.ts";
import { formatOption } from "../ui/format.ts";
import { printJson } from "../ui/terminal.ts";

/** `slipway schema`: the JSON Schema of install scripts, for editors (`"$schema": "./script.schema.json"`); JSON in every format. */
export const defineSchema: DefineCommand = (command, terminal) => {
  command.addOption(formatOption()).action(() => printJson(terminal, buildScriptJsonSchema()));
};
