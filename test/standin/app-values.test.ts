/** Values held against the questions of their app: what the stand-in refuses, keeps and answers. */
import { describe, expect, test } from "vitest";
import { parseQuestions } from "../../src/core/app-values/parse-questions.ts";
import { isJson, type Json, type JsonObject } from "../../src/core/json/json.ts";
import { GENERATIONS } from "../../src/standin/settings.ts";
import { fillRequired } from "../support/app-values/sample-values.ts";
import { at, install, JELLYFIN, openLoggedIn, type RawClient, startStandin } from "../support/engine/standin-client.ts";
import { readAppSchemas } from "../support/scripts/app-schemas.ts";

function ask(variable: string, type: string, rest: JsonObject = {}): JsonObject {
  return { variable, schema: { type, ...rest } };
}

const PORT = ask("web_port", "dict", {
  attrs: [
    ask("bind_mode", "string", { default: "published", enum: ["published", "exposed", ""] }),
    ask("port_number", "int", { min: 1, max: 65_535, default: 30_013 }),
  ],
});
const NETWORK = ask("network", "dict", {
  attrs: [PORT, ask("certificate_id", "int", { null: true, $ref: ["definitions/certificate"] })],
});
const ACCOUNT = ask("account", "dict", {
  attrs: [ask("user", "string", { required: true, immutable: true }), ask("admin", "boolean", { default: false })],
});

function schemaOf(version: string, questions: readonly Json[]): JsonObject {
  return { app: "jellyfin", train: "community", version, questions };
}

const SCHEMAS = [
  schemaOf("1.3.11", [NETWORK, ACCOUNT]),
  schemaOf("1.3.12", [NETWORK, ACCOUNT, ask("salt", "string", { required: true, min_length: 4 })]),
];
const OLD = { ...JELLYFIN, version: "1.3.11", values: { account: { user: "ada" } } };

async function open(options: Parameters<typeof startStandin>[0] = {}): Promise<RawClient> {
  return openLoggedIn(await startStandin({ schemas: SCHEMAS, ...options }));
}

function refused(...extra: readonly (readonly [string, string])[]): JsonObject {
  return {
    state: "FAILED",
    exc_info: { type: "VALIDATION", extra: extra.map(([field, reason]) => [field, reason, 22]) },
  };
}

describe("app.create", () => {
  test.each<[string, JsonObject, readonly [string, string]]>([
    ["a required value is missing", {}, ["account.user", "Field required"]],
    ["a type is another", { account: { user: 1 } }, ["account.user", "Input should be a valid string"]],
    [
      "a number is out of bounds",
      { account: { user: "ada" }, network: { web_port: { port_number: 70_000 } } },
      ["network.web_port.port_number", "Input should be less than or equal to 65535"],
    ],
    [
      "a value is none of the choices",
      { account: { user: "ada" }, network: { web_port: { bind_mode: "open" } } },
      ["network.web_port.bind_mode", "Input should be 'published', 'exposed' or ''"],
    ],
    [
      "a certificate is not there",
      { account: { user: "ada" }, network: { certificate_id: 7 } },
      ["network.certificate_id", "Unable to locate certificate."],
    ],
  ])("%s: refused with the place, and nothing is installed", async (_, values, finding) => {
    const client = await open();
    expect(await client.job("app.create", { ...OLD, values })).toMatchObject(refused(finding));
    expect(await client.call("app.query")).toEqual([]);
  });

  test("keeps unknown keys, converts the rest and fills in defaults", async () => {
    const client = await open({ certificates: [1, 7] });
    const values = {
      account: { user: "ada", admin: "true", own: 1 },
      network: { web_port: { port_number: "30444" }, certificate_id: 7 },
    };
    await install(client, { ...OLD, values });
    expect(await client.call("app.config", "jellyfin")).toMatchObject({
      account: { user: "ada", admin: true, own: 1 },
      network: { web_port: { bind_mode: "published", port_number: 30_444 }, certificate_id: 7 },
    });
    expect(await client.call("app.used_ports")).toEqual([30_444]);
  });

  test("an app without questions takes anything", async () => {
    const client = await open();
    const tailscale = { app_name: "tailscale", catalog_app: "tailscale", train: "community", values: { any: [1] } };
    expect(await client.job("app.create", tailscale)).toMatchObject({ state: "SUCCESS" });
  });
});

test("app.update refuses another value for an immutable question, and takes the same", async () => {
  const client = await open();
  await install(client, OLD);
  const reason = "The value can not be changed after the app is installed";
  const update = (user: string) => client.job("app.update", "jellyfin", { values: { account: { user, admin: true } } });
  expect(await update("bob")).toMatchObject(refused(["account.user", reason]));
  expect(at(await client.call("app.config", "jellyfin"), "account")).toEqual({ user: "ada", admin: false });
  expect(await update("ada")).toMatchObject({ state: "SUCCESS" });
});

test("app.upgrade holds the values against the new version once the app is stopped", async () => {
  const client = await open();
  await install(client, OLD);
  expect(await client.job("app.upgrade", "jellyfin", {})).toMatchObject(refused(["salt", "Field required"]));
  expect(await client.call("app.get_instance", "jellyfin")).toMatchObject({ state: "STOPPED", version: "1.3.11" });
  await client.job("app.start", "jellyfin");
  const values = { salt: "brine" };
  expect(await client.job("app.upgrade", "jellyfin", { values })).toMatchObject({ state: "SUCCESS" });
  expect(await client.call("app.config", "jellyfin")).toMatchObject({ account: { user: "ada" }, salt: "brine" });
});

describe("catalog.get_app_details", () => {
  test.each(GENERATIONS)(
    "on %s answers the questions of each version, with the host's certificates",
    async (release) => {
      const client = await open({ generation: release, certificates: [1, 4] });
      const details = await client.call("catalog.get_app_details", "jellyfin", { train: "community" });
      const questionsOf = (version: string) => at(details, "versions", version, "schema", "questions");
      const keysOf = (version: string) => parseQuestions(questionsOf(version)).questions.map(({ key }) => key);
      expect(keysOf("1.3.11")).toEqual(["network", "account"]);
      expect(keysOf("1.3.12")).toEqual(["network", "account", "salt"]);
      const certificate = at(questionsOf("1.3.12"), 0, "schema", "attrs", 1, "schema", "enum");
      expect(certificate).toEqual([
        { value: null, description: "No Certificate" },
        { value: 1, description: "1" },
        { value: 4, description: "4" },
      ]);
    },
  );

  test("an app of another train is ENOENT", async () => {
    const client = await open();
    const failure = await client.failure("catalog.get_app_details", "jellyfin", { train: "stable" });
    expect(at(failure, "data", "errname")).toBe("ENOENT");
  });
});

test("a schema that can't be read keeps the stand-in from starting, with the question", async () => {
  const schemas = [schemaOf("1.3.12", [ask("colour", "hue")])];
  await expect(startStandin({ schemas })).rejects.toMatchObject({
    code: "CLI_USAGE",
    message: 'the schema of "community/jellyfin" can\'t be read: question "colour": the type "hue" is not known',
  });
});

const SHARED = readAppSchemas();

test.skipIf(Object.keys(SHARED).length === 0)("real apps are judged by their own schemas", async () => {
  if (!isJson(SHARED, 200)) throw new Error("the schemas are no JSON");
  const client = await open({ schemas: SHARED });
  for (const [train, app] of [
    ["community", "immich"],
    ["community", "jellyfin"],
    ["stable", "plex"],
  ] as const) {
    const details = await client.call("catalog.get_app_details", app, { train });
    const [version = ""] = Object.keys(Object(at(details, "versions")));
    const { questions, faults } = parseQuestions(at(details, "versions", version, "schema", "questions"));
    expect(faults).toEqual([]);
    const create = (values: JsonObject) => client.job("app.create", { app_name: app, catalog_app: app, train, values });
    expect(await create({ network: { web_port: { port_number: "many" } } })).toMatchObject(
      refused([
        "network.web_port.port_number",
        "Input should be a valid integer, unable to parse string as an integer",
      ]),
    );
    expect(await create(fillRequired(questions).sent)).toMatchObject({ state: "SUCCESS" });
  }
});
