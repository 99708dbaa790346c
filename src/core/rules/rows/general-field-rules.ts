/** The rows that take whatever issue of the schema no particular row takes: one for each kind. */
import { LIFECYCLE_ONLY, makeHook, makeHook5, makeScript } from "../example.ts";
import { nameField, nameHolder, nameType, suggestWord } from "../field-words.ts";
import { findNearest } from "../nearest.ts";
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
      const near = findNearest(String(path.at(-1)), words.map(String));
      return near === undefined ? undefined : `write "${near}", or remove the key`;
    },
    bad: makeHook({ optionnal: true }),
    good: makeHook({ ...LIFECYCLE_ONLY, optional: true }),
  },
  SCRIPT_FIELD_MISSING: {
    title: "A required field is missing",
    hint: "add the field",
    see: 'docs/install-scripts.md, "Script6"',
    severity: "error",
    takes: ({ kind }) => kind === "missing",
    message: ({ path, allowed, holder }) =>
      `${nameHolder(path, holder)} has no ${quote(path.at(-1))}; ${allowed === "" ? "it is required" : `it must be ${allowed}`}`,
    hintFor: ({ path }) => `add ${quote(path.at(-1))}`,
    bad: makeHook({ title: undefined }),
    good: makeHook({ title: "Set up" }),
  },
  SCRIPT_FIELD_TYPE: {
    title: "A field has a value of another type",
    hint: "write a value of the type asked for",
    see: 'docs/install-scripts.md, "Script6"',
    severity: "error",
    takes: ({ kind }) => kind === "type",
    message: ({ path, value, allowed }) => `${nameField(path)} is ${nameType(value)}, it must be ${allowed}`,
    bad: makeHook({ timeout: "300" }),
    good: makeHook({ timeout: 300 }),
  },
  SCRIPT_VALUE_UNKNOWN: {
    title: "A value is not one of those allowed",
    hint: "write one of the values allowed",
    see: 'docs/install-scripts.md, "Script6"',
    severity: "error",
    takes: ({ kind }) => kind === "word",
    message: ({ path, value, allowed }) =>
      `${nameField(path)} is ${quote(value)}; allowed ${allowed.includes(" or ") ? "are" : "is"} ${allowed}`,
    hintFor: suggestWord,
    bad: makeHook({ kind: "conect" }),
    good: makeHook({ kind: "connect" }),
  },
  SCRIPT_VALUE_FORM: {
    title: "A value does not have the form asked for",
    hint: "write a value of the form asked for",
    see: 'docs/install-scripts.md, "Script6"',
    severity: "error",
    takes: ({ kind }) => kind === "form",
    message: ({ path, value, allowed }) => `${nameField(path)} is ${quote(value)}, it must be ${allowed}`,
    bad: makeScript({ script: { version: "1.0.0", updateCompatibility: "newer" } }),
    good: makeScript({ script: { version: "1.0.0", updateCompatibility: ">=0.9.0" } }),
  },
  SCRIPT_VALUE_RANGE: {
    title: "A value is beyond a limit",
    hint: "write a value within the limits",
    see: 'docs/install-scripts.md, "Script6"',
    severity: "error",
    takes: ({ kind }) => kind === "low" || kind === "high",
    message: ({ path, value, allowed }) => `${nameField(path)} is ${quote(value)}, it must be ${allowed}`,
    bad: makeHook5({ retries: -1 }),
    good: makeHook5({ retries: 1 }),
  },
} as const satisfies Record<string, FieldRule>;
