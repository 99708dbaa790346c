import { CARRIER_RULES } from "../rules/rows/carrier-rules.ts";
import { FIELD_RULES } from "../rules/rows/field-rules.ts";
import { GENERAL_FIELD_RULES } from "../rules/rows/general-field-rules.ts";
import { HOOK_RULES } from "../rules/rows/hook-rules.ts";
import { ICON_RULES } from "../rules/rows/icon-rules.ts";
import { BUTTON_RULES, LIST_RULES, REQUIRE_RULES } from "../rules/rows/relation-rules.ts";
import { GATE_RULES, NAME_RULE, SCRIPT_RULES } from "../rules/rows/script-rules.ts";
import { SHOWN_TEXT_RULES } from "../rules/rows/shown-text-rules.ts";
import { SOURCE_RULES } from "../rules/rows/source-rules.ts";
import { TEXT_RULES } from "../rules/rows/text-rules.ts";
import { UNUSED_RULES } from "../rules/rows/unused-rules.ts";
import { WIDGET_RULES } from "../rules/rows/widget-rules.ts";
import type { CodeText } from "./row.ts";

/** Codes of an install script's text, structure and rules: a row of the rule table is the row of its code. */
export const SCRIPT_CODES = {
  SCRIPT_JSON_SYNTAX: {
    title: "The file is not valid JSON",
    hint: "correct the syntax at the place shown",
    see: 'docs/install-scripts.md, "A first script"',
    bad: '{ "version": 6 "app_values": {} }',
    good: '{ "version": 6, "script": { "version": "1.0.0" }, "requirements": {}, "app_values": {} }',
  },
  SCRIPT_TOO_DEEP: {
    title: "The JSON is nested too deeply",
    hint: "flatten the value to at most 200 levels",
    see: "docs/choices.md",
  },
  SCRIPT_TOO_LARGE: {
    title: "The file is larger than an install script may be",
    hint: "write at most 1 MB; TypeScript may stand in files of its own",
    see: "docs/decisions.md, section 1",
  },
  SCRIPT_PROBLEMS_TOO_MANY: {
    title: "The file has more than 200 problems, so it is refused",
    hint: "correct those shown and look again",
    see: "docs/decisions.md, section 1",
  },
  SCRIPT_TEXT_TOO_LONG: {
    title: "A text or key has more than 64 KB, or inline TypeScript more than 512 KB",
    hint: "shorten it; TypeScript may also stand in a file of its own",
    see: "docs/decisions.md, section 1",
  },
  SCRIPT_TOO_MANY_VALUES: {
    title: "The script has too many values outside its app values",
    hint: "write at most 30,000 values; split the script, or take repeated hooks and options out",
    see: "docs/choices.md",
  },
  SCRIPT_TOO_MANY_DECLARED: {
    title: "The script declares too many questions, hooks, consents, conditions, secrets or directories",
    hint: "declare no more of them than the message allows, or split the app into several",
    see: 'docs/install-scripts.md, "Limits"',
  },
  SCRIPT_NUMBER_TOO_LARGE: {
    title: "A number is too large to be kept",
    hint: "write it as a string",
    see: "docs/choices.md",
    bad: '{ "version": 6, "script": { "version": "1.0.0" }, "requirements": {}, "app_values": { "big": 1e999 } }',
    good: '{ "version": 6, "script": { "version": "1.0.0" }, "requirements": {}, "app_values": { "big": 1e99 } }',
  },
  ...TEXT_RULES,
  ...SHOWN_TEXT_RULES,
  ...GATE_RULES,
  ...NAME_RULE,
  ...SCRIPT_RULES,
  ...UNUSED_RULES,
  ...FIELD_RULES,
  ...GENERAL_FIELD_RULES,
  ...CARRIER_RULES,
  ...HOOK_RULES,
  ...LIST_RULES,
  ...REQUIRE_RULES,
  ...WIDGET_RULES,
  ...BUTTON_RULES,
  ...SOURCE_RULES,
  ...ICON_RULES,
} as const satisfies Record<string, CodeText>;
