/** What authors read of values that the schema of their app judges otherwise. */
import { expect, it } from "vitest";
import { checkScriptValues } from "../../../src/core/app-values/check-script-values.ts";
import { parseQuestions } from "../../../src/core/app-values/parse-questions.ts";
import type { JsonObject } from "../../../src/core/json/json.ts";
import { dictionaryOf } from "../../support/scripts/scripts.ts";

interface Asked {
  readonly values: JsonObject;
  readonly schemas: Readonly<Record<string, JsonObject>>;
  readonly questions?: readonly JsonObject[];
}

function diagnose({ values, schemas, questions = [] }: Asked) {
  const script = dictionaryOf("shelf", {
    app_values: values,
    installation_questions: questions.map((question) => ({ question: "?", ...question })),
    requirements: { locations: ["Media"] },
  });
  const written = Object.entries(schemas).map(([variable, schema]) => ({ variable, schema }));
  const schema = { app: "shelf", train: "stable", version: "1.2.3", ...parseQuestions(written) };
  return checkScriptValues(script, schema);
}

function check(asked: Asked): readonly string[] {
  return diagnose(asked).map(
    ({ severity, code, path, message }) => `${severity} ${code} ${path.join(".")}: ${message}`,
  );
}

it.each([
  [{ type: "string" }, 5, 'warning VALUE_TYPE app_values.x: "x" must be a text, not 5'],
  [{ type: "int" }, "many", 'warning VALUE_TYPE app_values.x: "x" must be a whole number, not "many"'],
  [{ type: "dict" }, [], 'warning VALUE_TYPE app_values.x: "x" must be an object'],
  [{ type: "uri" }, "shelf", 'warning VALUE_FORM app_values.x: "x" must be an http or https URL, not "shelf"'],
  [{ type: "ipaddr" }, "1.2.3", 'warning VALUE_FORM app_values.x: "x" must be an IP address, not "1.2.3"'],
  [
    { type: "string", valid_chars: "^[a-f]+$" },
    "xyz",
    'warning VALUE_FORM app_values.x: "x" must be a text like "^[a-f]+$", not "xyz"',
  ],
  [
    { type: "string", max_length: 2 },
    "abc",
    'warning VALUE_LENGTH app_values.x: "x" does not fit shelf 1.2.3: String should have at most 2 characters',
  ],
  [{ type: "int", min: 1, max: 9 }, 10, 'warning VALUE_RANGE app_values.x: "x" must be a number from 1 to 9, not 10'],
  [
    { type: "string", enum: ["a", "b"] },
    "c",
    'warning VALUE_CHOICE app_values.x: "x" must be one of "a", "b", not "c"',
  ],
  [{ type: "int" }, "30032", 'info VALUE_COERCED app_values.x: "x" is the text "30032"; the host makes 30032 of it'],
  [
    { type: "int", $ref: ["definitions/certificate"] },
    1,
    'info VALUE_HOST app_values.x: "x" is certificate 1 of the host, which not every host has',
  ],
])("a value is told of where it stands, case %#", (schema, value, line) => {
  expect(check({ values: { x: value }, schemas: { x: schema } })).toEqual([line]);
});

it("a missing value is told of with its key", () => {
  expect(check({ values: {}, schemas: { key: { type: "string", required: true } } })).toEqual([
    'warning VALUE_MISSING app_values.key: "key" is missing: shelf 1.2.3 requires it',
  ]);
});

it("a hint names the nearest key, or where a folder can be mounted", () => {
  const path = "$HOST_PATH($LOCATION(Media)/shelf)";
  const storage = {
    type: "dict",
    attrs: ["data", "additional_storage"].map((variable) => ({ variable, schema: { type: "dict", attrs: [] } })),
  };
  const hints = diagnose({ values: { storage: { date: path, export: path } }, schemas: { storage } });
  expect(hints.map(({ hint }) => hint)).toEqual([
    'write "data", or remove the key',
    'mount the folder by an entry of "additional_storage", with $MOUNTED_HOST_PATH(path, mount_point)',
  ]);
});

it("an answer of any text is judged by the type it has to have", () => {
  const question = { type: "text", key: "q", required: true };
  const values = {
    url: "$QUESTION(q)",
    link: "https://$QUESTION(q)/a",
    name: "$QUESTION(q)",
    on: "$QUESTION(q)",
    mode: "$QUESTION(q)",
  };
  const schemas = {
    url: { type: "uri", required: true },
    link: { type: "uri" },
    name: { type: "string", max_length: 3 },
    on: { type: "boolean" },
    mode: { type: "string", enum: ["a"] },
  };
  expect(check({ values, schemas, questions: [question] })).toEqual([
    'warning VALUE_FORM app_values.url: "url" must be an http or https URL; the question "q" takes any text',
    'warning VALUE_TYPE app_values.on: "on" must be true or false; the question "q" takes any text',
    'warning VALUE_CHOICE app_values.mode: "mode" must be one of "a"; the question "q" takes any text',
  ]);
});

it("a number fits a number whatever its bounds, and no text", () => {
  const values = { port: "$QUESTION(q)", text: "$QUESTION(q)" };
  const schemas = { port: { type: "int", max: 9 }, text: { type: "string" } };
  expect(check({ values, schemas, questions: [{ type: "number", key: "q", required: true }] })).toEqual([
    'warning VALUE_TYPE app_values.text: "text" must be a text; the question "q" takes any number',
  ]);
});

it("each option of a select is tried, and the answer that shows a fault is named", () => {
  const options = ["a", "b", "c"].map((value) => ({ text: value, value }));
  const question = { type: "select", key: "q", options, default: "a", required: true };
  const values = { mode: "$QUESTION(q)" };
  const schemas = { mode: { type: "string", enum: ["a", "b"] } };
  expect(check({ values, schemas, questions: [question] })).toEqual([
    'warning VALUE_CHOICE app_values.mode: "mode" must be one of "a", "b", not "c", if the answer to "q" is "c"',
  ]);
});

it("both sides of a condition are tried, of answers and of installed apps", () => {
  const values = {
    size: "$IF($QUESTION(q) == big, huge, 1)",
    near: "$IF($APP_INSTALLED(plex), far, 2)",
  };
  const schemas = { size: { type: "int" }, near: { type: "int" } };
  const lines = check({ values, schemas, questions: [{ type: "text", key: "q", required: true }] });
  expect(lines.map((line) => line.split(":")[0])).toEqual([
    "info VALUE_COERCED app_values.size",
    "info VALUE_COERCED app_values.near",
    "warning VALUE_TYPE app_values.near",
    "warning VALUE_TYPE app_values.size",
  ]);
});

it("a generated string is judged by its length and its characters", () => {
  const values = { short: "$RANDOM_STRING(8)", hex: "$RANDOM_STRING(32)", fits: "$RANDOM_STRING(32)" };
  const schemas = {
    short: { type: "string", min_length: 16 },
    hex: { type: "string", valid_chars: "^[a-f0-9]+$" },
    fits: { type: "string", min_length: 32, max_length: 32 },
  };
  const codes = check({ values, schemas }).map((line) => line.split(":")[0]);
  expect(codes).toEqual(["warning VALUE_LENGTH app_values.short", "warning VALUE_FORM app_values.hex"]);
});

it("a finding behind a dropped item of a list stands at the item as it is written", () => {
  const values = { ports: ["$IF($APP_INSTALLED(plex), 1)", 2, "x"] };
  const schemas = { ports: { type: "list", items: [{ variable: "port", schema: { type: "int" } }] } };
  expect(diagnose({ values, schemas }).map(({ code, path }) => [code, ...path])).toEqual([
    ["VALUE_TYPE", "app_values", "ports", 2],
    ["VALUE_COERCED", "app_values", "ports", 0],
  ]);
});
