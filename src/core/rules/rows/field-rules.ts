/**
 * Rows that judge issues of the schema that the decisions tolerate, refuse or name in particular; `general-field-rules.ts`
 * takes what is left. Of all rows the first that takes an issue counts.
 */
import { HOOK_FIELD_RULES } from "./hook-field-rules.ts";
import { SCRIPT_FIELD_RULES } from "./script-field-rules.ts";
import { WIDGET_FIELD_RULES } from "./widget-field-rules.ts";

export const FIELD_RULES = { ...SCRIPT_FIELD_RULES, ...HOOK_FIELD_RULES, ...WIDGET_FIELD_RULES } as const;
