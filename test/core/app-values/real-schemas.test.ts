/** The schemas of 425 real catalog apps. */
import { expect, it } from "vitest";
import { judgeValues } from "../../../src/core/app-values/judge-values.ts";
import { parseAppSchema } from "../../../src/core/app-values/parse-questions.ts";
import type { AppSchema } from "../../../src/core/app-values/question.ts";
import { isRefusal } from "../../../src/core/app-values/value-fault.ts";
import { isJson } from "../../../src/core/json/json.ts";
import { fillRequired } from "../../support/app-values/sample-values.ts";
import { readAppSchemas } from "../../support/scripts/app-schemas.ts";

const ENTRIES = Object.entries(readAppSchemas());

function parse(value: unknown): AppSchema {
  const parsed = isJson(value, 100) ? parseAppSchema(value) : null;
  if (parsed === null) throw new Error("no schema");
  expect(parsed.faults).toEqual([]);
  return parsed.schema;
}

it.skipIf(ENTRIES.length === 0)("all 425 schemas load, without a question left out", () => {
  expect(ENTRIES).toHaveLength(425);
  const schemas = ENTRIES.map(([, value]) => parse(value));
  expect(schemas.map(({ train, app }) => `${train}/${app}`)).toEqual(ENTRIES.map(([key]) => key));
});

it.skipIf(ENTRIES.length === 0)("all 425 sets of defaults pass, with the values that have no default", () => {
  const refused = ENTRIES.flatMap(([key, value]) => {
    const schema = parse(value);
    const { sent } = fillRequired(schema.questions);
    const { faults } = judgeValues(schema.questions, sent, { certificates: [] });
    return faults.length === 0 ? [] : [[key, faults.map(({ kind, path }) => `${kind} ${path.join(".")}`)]];
  });
  expect(refused).toEqual([]);
});

it.skipIf(ENTRIES.length === 0)("42 of them need values, and are refused without any of these", () => {
  const needy = ENTRIES.map(([, value]) => parse(value)).filter(
    (schema) => fillRequired(schema.questions).required.length > 0,
  );
  expect(needy).toHaveLength(42);
  for (const { questions } of needy) {
    const refused = judgeValues(questions, {}).faults.filter(isRefusal);
    expect(new Set(refused.map(({ kind }) => kind))).toEqual(new Set(["missing"]));
  }
});

it.skipIf(ENTRIES.length === 0)("all defaults but one URL are kept as they are", () => {
  const changed = ENTRIES.flatMap(([key, value]) => {
    const schema = parse(value);
    const kept = judgeValues(schema.questions, fillRequired(schema.questions).sent).values;
    const { faults } = judgeValues(schema.questions, kept);
    const odd = faults.filter(({ kind }) => ["type", "coerced", "unknown", "hidden"].includes(kind));
    return odd.length === 0 ? [] : [[key, odd.map(({ kind, path }) => `${kind} ${path.join(".")}`)]];
  });
  expect(changed).toEqual([["community/cantinarr", ["coerced cantinarr.push_gateway_url"]]]);
});
