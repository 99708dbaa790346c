import { readFileSync } from "node:fs";
import { Ajv2020, type AnySchemaObject } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { describe, expect, it } from "vitest";
import type { CodeText } from "../../../src/core/codes/row.ts";
import { SCRIPT_CODES } from "../../../src/core/codes/script.ts";
import { FIELD_RULES } from "../../../src/core/rules/rows/field-rules.ts";
import { GENERAL_FIELD_RULES } from "../../../src/core/rules/rows/general-field-rules.ts";
import { buildScriptJsonSchema } from "../../../src/core/script/script-json-schema.ts";

const schema: AnySchemaObject = JSON.parse(readFileSync("src/core/script/script.schema.json", "utf8"));
const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
addFormats.default(ajv);
const isValid = ajv.compile(schema);

const OF_THE_SCHEMA = { ...FIELD_RULES, ...GENERAL_FIELD_RULES };

/** Forms of a text JSON Schema can't say. */
const BEYOND_SCHEMA = ["SCRIPT_VALUE_FORM"];

describe("the JSON Schema of install scripts", () => {
  it("is the one checked in: npm run schema writes it", () => {
    expect(buildScriptJsonSchema()).toEqual(schema);
  });

  it("is draft 2020-12, describes every field and closes every object", () => {
    expect(schema["$schema"]).toBe("https://json-schema.org/draft/2020-12/schema");
    const undescribed: string[] = [];
    const walk = (node: unknown, path: string): void => {
      if (typeof node !== "object" || node === null) return;
      if ("properties" in node && "additionalProperties" in node && typeof node.properties === "object") {
        expect(node.additionalProperties, path).toBe(false);
        for (const [key, field] of Object.entries(node.properties ?? {})) {
          const described = "description" in field || "const" in field || "$ref" in field;
          if (!described) undescribed.push(`${path}.${key}`);
        }
      }
      for (const [key, below] of Object.entries(node)) walk(below, `${path}.${key}`);
    };
    walk(schema, "");
    expect(undescribed).toEqual([]);
  });

  const rows: [string, CodeText][] = Object.entries(SCRIPT_CODES);
  for (const [code, { bad, good }] of rows) {
    if (good !== undefined) it(`takes the good example of ${code}`, () => expect(isValid(JSON.parse(good))).toBe(true));
    if (bad === undefined || !Object.hasOwn(OF_THE_SCHEMA, code) || BEYOND_SCHEMA.includes(code)) continue;
    it(`refuses the bad example of ${code}`, () => expect(isValid(JSON.parse(bad))).toBe(false));
  }
});
