import type { Severity } from "./problems.ts";
import type { CodeText } from "./row.ts";

const VALUES = 'docs/install-scripts.md, "App values against their schema"';

/** Codes of `app_values` that the app's own schema judges otherwise than their author. */
export const VALUE_CODES = {
  VALUE_NOT_GENERIC: {
    title: "The values of a custom app are not those of the generic app, e.g. they are a compose file",
    hint: 'write "image" and the other values of docs/install-scripts.md, "Values of a custom app"; a compose file is not taken',
    see: 'docs/install-scripts.md, "Values of a custom app"',
    severity: "error",
    bad: '{ "services": { "web": { "image": "example/shelf:1" } } }',
    good: '{ "image": { "repository": "example/shelf", "tag": "1" } }',
  },
  VALUE_UNKNOWN: {
    title: "The app has no setting with this key, so the host takes the value and does nothing with it",
    hint: "write a key the app has, or remove it",
    see: VALUES,
    severity: "warning",
  },
  VALUE_MISSING: {
    title: "The app requires a value that has no default, and the script gives none",
    hint: "add the key to app_values",
    see: VALUES,
    severity: "warning",
  },
  VALUE_TYPE: {
    title: "A value has a type that the app does not take",
    hint: "write a value of the type named",
    see: VALUES,
    severity: "warning",
  },
  VALUE_FORM: {
    title: "A text has not the form that the app requires, e.g. that of a URL",
    hint: "write the text in the form named; for an answer, name the form in the question's description",
    see: VALUES,
    severity: "warning",
  },
  VALUE_LENGTH: {
    title: "A text or list is shorter or longer than the app takes",
    hint: "keep to the limit named",
    see: VALUES,
    severity: "warning",
  },
  VALUE_RANGE: {
    title: "A number is outside the bounds of the app",
    hint: "keep to the bound named",
    see: VALUES,
    severity: "warning",
  },
  VALUE_CHOICE: {
    title: "A value is none of those the app takes",
    hint: "write one of the values named; for an answer, make the question a select with these options",
    see: VALUES,
    severity: "warning",
  },
  VALUE_COERCED: {
    title: "The host keeps a value otherwise than the script writes it",
    hint: "write the value as the host keeps it",
    see: VALUES,
    severity: "info",
  },
  VALUE_HIDDEN: {
    title: "A value has no effect, since another value switches its setting off",
    hint: "remove the value, or change the one that hides it",
    see: VALUES,
    severity: "info",
  },
  VALUE_HOST: {
    title: "Whether the app takes a value depends on the host",
    hint: "leave the key out, so that the app uses its default on every host",
    see: VALUES,
    severity: "info",
  },
  VALUE_APP_UNKNOWN: {
    title: "The catalog given with --apps has no app of the script's name",
    hint: "name the file after the app's id in the host's catalog, or give a newer catalog",
    see: VALUES,
    severity: "warning",
  },
  VALUE_SCHEMA_INVALID: {
    title: "The schema of the app in the catalog given with --apps can't be read, so its values are not judged",
    hint: "take the catalog as it is published; if it is, report it with the app's name",
    see: VALUES,
    severity: "warning",
  },
} as const satisfies Record<string, CodeText & { readonly severity: Severity }>;
