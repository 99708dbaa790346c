/** Rows that look at the text: what its value no longer shows. */
import { repeatedKeys } from "../json-source-spans.ts";
import { quote, type SubjectRule } from "./row.ts";

export const TEXT_RULES = {
  SCRIPT_KEY_DUPLICATE: {
    title: "An object has a key twice; the last one counts",
    hint: "remove one of them",
    section: "docs/choices.md",
    severity: "warning",
    find: (text) =>
      repeatedKeys(text).map((path) => ({
        path,
        key: true,
        message: `key ${quote(path.at(-1))} is written twice in one object, the last one counts`,
      })),
    bad: '{ "version": 5, "version": 6, "script": { "version": "1.0.0" }, "requirements": {}, "app_values": {} }',
    good: '{ "version": 6, "script": { "version": "1.0.0" }, "requirements": {}, "app_values": {} }',
  },
} as const satisfies Record<string, SubjectRule<string>>;
