import { z } from "zod";
import { SCRIPT_SCHEMAS } from "./script-schema.ts";
import { VERSIONS } from "./script-words.ts";

/**
 * The JSON Schema (draft 2020-12) of install scripts, from the schemas the parser uses. The version picks the table
 * by `if`/`then`, not `oneOf`: an editor then reports the faults of that version alone.
 */
export function buildScriptJsonSchema(): Record<string, unknown> {
  const union = z.union([SCRIPT_SCHEMAS[4], SCRIPT_SCHEMAS[5], SCRIPT_SCHEMAS[6]]);
  const { $defs } = z.toJSONSchema(union, { io: "input", target: "draft-2020-12" });
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Slipway install script",
    description: "Describes one catalog app: requirements, questions, directories, app values, hooks and widgets",
    type: "object",
    required: ["version"],
    properties: {
      version: {
        enum: VERSIONS,
        description: "6 for hooks with user actions or widgets, 5 for lifecycle hooks only, 4 for neither",
      },
    },
    allOf: VERSIONS.map((version) => ({
      if: { properties: { version: { const: version } }, required: ["version"] },
      // biome-ignore lint/suspicious/noThenProperty: the JSON Schema keyword
      then: { $ref: `#/$defs/Script${version}` },
    })),
    $defs,
  };
}
