import { buildScenarioJsonSchema } from "../../check/scenarios/scenario-file.ts";
import { buildScriptJsonSchema } from "../../core/script/script-json-schema.ts";
import type { DefineCommand } from "../command.ts";
import { formatOption } from "../ui/format.ts";
import { printJson } from "../ui/terminal.ts";

/**
 * `slipway schema`: the JSON Schema of install scripts, or with `--scenarios` of `<app>.check.json`, for editors (`"$schema":
 * "./script.schema.json"`); JSON in every format.
 */
export const defineSchema: DefineCommand = (command, terminal) => {
  command
    .option("--scenarios", "of an app's scenarios for slipway check, <app>.check.json")
    .addOption(formatOption())
    .action(({ scenarios }: { readonly scenarios?: boolean }) =>
      printJson(terminal, scenarios === true ? buildScenarioJsonSchema() : buildScriptJsonSchema()),
    );
};
