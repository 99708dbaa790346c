/** The rows that take whatever issue of the schema no particular row takes: one for each kind. */
import { aHook, aHook5, aScript, LIFECYCLE_ONLY } from "../example.ts";
import { fieldName, holderName, suggestWord, typeWord } from "../field-words.ts";
import { nearest } from "../nearest.ts";
import { type FieldRule, quote } from "../row.ts";

export const GENERAL_FIELD_RULES = {
  SCRIPT_KEY_UNKNOWN: {
    title: "A key is not known and is ignored",
    hint: "remove the key, or check its spelling",
    see: "docs/decisions.md, section 1",
    severity: "warning",
    takes: ({ kind }) => kind === "key",
    message: ({ path }) => `key ${quote(path.at(-1))} is not known here and is ignored`,
    hintFor: ({ path, words }) => {
      const near = nearest(String(path.at(-1)), words.map(String));
      return near === undefined ? undefined : `write "${near}", or remove the key`;
    },
    bad: aHook({ optionnal: true }),
    good: aHook({ ...LIFECYCLE_ONLY, optional: true }),
  },
  SCRIPT_FIELD_MISSING: {
    title: "A required field is missing",
    hint: "add the field",
    see: 'docs/install-scripts.md, "Script6"',
    severity: "error",
    takes: ({ kind }) => kind === "missing",
    message: ({ path, allowed, holder }) =>
      `${holderName(path, holder)} has no ${quote(path.at(-1))}; ${allowed === "" ? "it is required" : `it must be ${allowed}`}`,
    hintFor: ({ path }) => `add ${quote(path.at(-1))}`,
    bad: aHook({ title: undefined }),
    good: aHook({ title: "Set up" }),
  },
  SCRIPT_FIELD_TYPE: {
    title: "A field has a value of another type",
    hint: "write a value of the type asked for",
    see: 'docs/install-scripts.md, "Script6"',
    severity: "error",
    takes: ({ kind }) => kind === "type",
    message: ({ path, value, allowed }) => `${fieldName(path)} is ${typeWord(value)}, it must be ${allowed}`,
    bad: aHook({ timeout: "300" }),
    good: aHook({ timeout: 300 }),
  },
  SCRIPT_VALUE_UNKNOWN: {
    title: "A value is not one of those allowed",
    hint: "write one of the values allowed",
    see: 'docs/install-scripts.md, "Script6"',
    severity: "error",
    takes: ({ kind }) => kind === "word",
    message: ({ path, value, allowed }) =>
      `${fieldName(path)} is ${quote(value)}; allowed ${allowed.includes(" or ") ? "are" : "is"} ${allowed}`,
    hintFor: suggestWord,
    bad: aHook({ kind: "conect" }),
    good: aHook({ kind: "connect" }),
  },
  SCRIPT_VALUE_FORM: {
    title: "A value does not have the form asked for",
    hint: "write a value of the form asked for",
    see: 'docs/install-scripts.md, "Script6"',
    severity: "error",
    takes: ({ kind }) => kind === "form",
    message: ({ path, value, allowed }) => `${fieldName(path)} is ${quote(value)}, it must be ${allowed}`,
    bad: aScript({ script: { version: "1.0.0", updateCompatibility: "newer" } }),
    good: aScript({ script: { version: "1.0.0", updateCompatibility: ">=0.9.0" } }),
  },
  SCRIPT_VALUE_RANGE: {
    title: "A value is beyond a limit",
    hint: "write a value within the limits",
    see: 'docs/install-scripts.md, "Script6"',
    severity: "error",
    takes: ({ kind }) => kind === "low" || kind === "high",
    message: ({ path, value, allowed }) => `${fieldName(path)} is ${quote(value)}, it must be ${allowed}`,
    bad: aHook5({ retries: -1 }),
    good: aHook5({ retries: 1 }),
  },
} as const satisfies Record<string, FieldRule>;
