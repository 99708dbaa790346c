import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020, type AnySchemaObject, type ErrorObject } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { describe, expect, it } from "vitest";
import { isJsonObject, type Json } from "../../src/core/json/json.ts";
import { parseDictionary } from "../../src/core/script/parse/parse-dictionary.ts";
import { runCommand } from "../support/command-line.ts";
import { realScripts } from "../support/scripts/real-catalog.ts";

const scripts = realScripts();
if (scripts === null) process.stdout.write("skipped: the real install scripts are not beside the project\n");

/** What the real catalog is expected to show; every line says why. Checked in, reviewed by hand. */
const expected: Record<string, Record<string, string>> = JSON.parse(
  readFileSync("test/fixtures/catalog/expected-problems.json", "utf8"),
);

describe.skipIf(scripts === null)("the real catalog", () => {
  it("has the problems expected of it, each with its reason, and no other", async () => {
    const { stdout, exitCode } = await runCommand("validate", scripts?.folder ?? "", "--format", "json");
    const { files } = JSON.parse(stdout);
    const found: Record<string, string[]> = {};
    for (const { file, problems, usable } of files) {
      expect(usable, file).toBe(true);
      const lines = problems.map((problem: { severity: string; code: string; line: number; column: number }) => {
        return `${problem.severity} ${problem.code} ${problem.line}:${problem.column}`;
      });
      if (lines.length > 0) found[file.split("/").at(-1)] = lines;
    }
    const wanted = Object.entries(expected).map(([file, reasons]) => [file, Object.keys(reasons)]);
    expect(found).toEqual(Object.fromEntries(wanted));
    expect(exitCode).toBe(1);
  });

  const schema: AnySchemaObject = JSON.parse(readFileSync("src/core/script/script.schema.json", "utf8"));
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });
  addFormats.default(ajv);
  const isValid = ajv.compile(schema);
  for (const appId of scripts?.ids ?? []) {
    it(`${appId} passes the JSON Schema exactly where the parser has no error or warning of the text`, () => {
      const text = readFileSync(join(scripts?.folder ?? "", `${appId}.json`), "utf8");
      const value: Json = JSON.parse(text);
      const places = new Set(
        parseDictionary({ appId, text }).problems.flatMap(({ severity, path }) =>
          severity === "info" ? [] : [path.join("/")],
        ),
      );
      isValid(value);
      expect(new Set((isValid.errors ?? []).flatMap((error) => placeOf(error, value)))).toEqual(places);
    });
  }
});

/** The places an error points at; `if` and the like only repeat what stands below them. */
function placeOf({ keyword, instancePath, params }: ErrorObject, value: Json): string[] {
  const path = instancePath.split("/").slice(1).join("/");
  if (keyword === "if" || (keyword === "const" && isJsonObject(value) && path === "version")) return [];
  if (keyword === "additionalProperties") return [[path, params["additionalProperty"]].filter(Boolean).join("/")];
  return [path];
}
