/** The values of a custom app against those of the generic app. */
import { expect, it } from "vitest";
import { checkCustomValues } from "../../../src/core/app-values/check-custom-values.ts";
import { GENERIC_SCHEMA } from "../../../src/core/app-values/generic-app.ts";
import { parseAppSchema } from "../../../src/core/app-values/parse-questions.ts";
import { isJson, type JsonObject } from "../../../src/core/json/json.ts";
import { readAppSchemas } from "../../support/scripts/app-schemas.ts";
import { dictionaryOf } from "../../support/scripts/scripts.ts";

const METADATA = { name: "Shelf", description: "Books", icon: "https://example.com/i.svg", version: "1.0.0" };

function check(appValues: JsonObject): readonly string[] {
  const dictionary = dictionaryOf("shelf", { custom: true, metadata: METADATA, app_values: appValues });
  return checkCustomValues(dictionary).map(({ severity, code, path }) => `${severity} ${code} ${path.join(".")}`);
}

const REAL = readAppSchemas()["stable/ix-app"];

it.skipIf(REAL === undefined)("the generic app has the questions that the real one has", () => {
  const parsed = isJson(REAL, 100) ? parseAppSchema(REAL) : null;
  expect(GENERIC_SCHEMA).toEqual(parsed?.schema);
});

it("a compose file is one error at its first key", () => {
  expect(check({ services: { web: { image: "example/shelf:1" } } })).toEqual([
    "error VALUE_NOT_GENERIC app_values.services",
  ]);
});

it("other keys beside an image are warnings, and so is a missing image", () => {
  const image = { repository: "example/shelf" };
  expect(check({ image })).toEqual([]);
  expect(check({ image, healthcheck: {} })).toEqual(["warning VALUE_UNKNOWN app_values.healthcheck"]);
  expect(check({ host_network: true })).toEqual(["warning VALUE_MISSING app_values.image.repository"]);
});

it("what has no effect beside another value is an info", () => {
  const image = { repository: "example/shelf" };
  const ports = [{ port_number: 80, container_port: 80 }];
  expect(check({ image, host_network: true, ports })).toEqual(["info VALUE_HIDDEN app_values.ports"]);
});
