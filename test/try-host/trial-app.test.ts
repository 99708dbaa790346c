/** The trial's app as the real catalog has it: nothing of its values would be refused, changed or ignored there. */
import { expect, test } from "vitest";
import { APP, buildScript, buildValues, toHostPath } from "../../scripts/try-host/trial-app.ts";
import { judgeValues } from "../../src/core/app-values/judge-values.ts";
import { parseAppSchema } from "../../src/core/app-values/parse-questions.ts";
import { isJson } from "../../src/core/json/json.ts";
import { parseDictionary } from "../../src/index.ts";
import { readAppSchemas } from "../support/scripts/app-schemas.ts";

const FOUND = readAppSchemas()[`community/${APP}`];

test.skipIf(FOUND === undefined)("its values fit the app's own schema, key by key", () => {
  const parsed = isJson(FOUND, 100) ? parseAppSchema(FOUND) : null;
  if (parsed === null) throw new Error("no schema");
  const assets = toHostPath("/mnt/tank/media/slipway-try/assets");
  const values = buildValues({ mark: "first", secret: "x".repeat(24), assets, port: 30_092 });
  expect(judgeValues(parsed.schema.questions, values).faults).toEqual([]);
});

test("its script has no problem", () => {
  const text = JSON.stringify(buildScript("Media", 30_092));
  expect(parseDictionary({ appId: APP, text }).problems).toEqual([]);
});
