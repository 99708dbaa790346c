import { z } from "zod";
import { defineFilledText, defineId, defineOneOf } from "./script-schema-parts.ts";
import { QUESTION_TYPES } from "./script-words.ts";

const fields = {
  question: defineFilledText().describe("Question text"),
  description: z.string().exactOptional().describe("Help text"),
  placeholder: z.string().exactOptional().describe("Input placeholder"),
  type: defineOneOf(QUESTION_TYPES).describe("What kind of answer it takes"),
  key: defineId().describe("Unique id, referenced as $QUESTION(key)"),
  options: z
    .array(
      z.strictObject({
        text: z.string().describe("What the user sees"),
        value: z.union([z.string(), z.number(), z.boolean()]).describe("What the answer is"),
      }),
    )
    .exactOptional()
    .describe("Choices, required for select"),
  required: z.boolean().exactOptional().describe("Default false"),
  default: z.unknown().exactOptional().describe("Default value, or a macro such as $RANDOM_STRING(16)"),
};

/** Options are required for `select`, for the JSON Schema; in the parser it is a rule of its own. */
const SELECT_HAS_OPTIONS = {
  if: { properties: { type: { const: "select" } }, required: ["type"] },
  // biome-ignore lint/suspicious/noThenProperty: the JSON Schema keyword
  then: { required: ["options"], properties: { options: { type: "array", minItems: 1 } } },
};

/** A question asked before the install (docs/install-scripts.md, "Questions"). */
export const InstallationQuestion = z
  .strictObject({
    ...fields,
    installonly: z
      .boolean()
      .exactOptional()
      .describe("Asked in install, custom install and reinstall, hidden from the post-install options dialog"),
    group: z.string().exactOptional().describe("Step, or Step / Section"),
  })
  .meta({ id: "InstallationQuestion", description: "A question asked during install", ...SELECT_HAS_OPTIONS });

/** The question of a hook input: an installation question less `group` and `installonly` (docs/decisions.md, section 1). */
export const HookQuestion = z
  .strictObject(fields)
  .meta({ id: "HookQuestion", description: "A question asked before the hook runs", ...SELECT_HAS_OPTIONS });
