/** Rules about the text of a script: its value no longer shows what they look for. */
import type { JsonPath } from "../../json/json.ts";
import type { Diagnostic } from "../diagnostic.ts";
import { quote, type RuleRow } from "../row.ts";

export const TEXT_RULES = {
  SCRIPT_KEY_DUPLICATE: {
    title: "An object has a key twice; the last one counts",
    hint: "remove one of them",
    see: "docs/choices.md",
    severity: "warning",
    bad: '{ "version": 5, "version": 6, "script": { "version": "1.0.0" }, "requirements": {}, "app_values": {} }',
    good: '{ "version": 6, "script": { "version": "1.0.0" }, "requirements": {}, "app_values": {} }',
  },
} as const satisfies Record<string, RuleRow>;

/** The diagnostic about a key that is written twice. */
export function reportRepeatedKey(path: JsonPath): Diagnostic {
  const message = `key ${quote(path.at(-1))} is written twice in one object, the last one counts`;
  const code = "SCRIPT_KEY_DUPLICATE";
  return { code, severity: TEXT_RULES[code].severity, path, key: true, message };
}
