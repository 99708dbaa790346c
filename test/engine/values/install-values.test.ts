/** The values of an install, held against what the host says the app accepts, before anything is sent. */
import { describe, expect } from "vitest";
import type { Problem } from "../../../src/core/codes/problems.ts";
import type { Json } from "../../../src/core/json/json.ts";
import { GENERATIONS } from "../../../src/standin/settings.ts";
import { type EngineOnStandin, openOnStandin } from "../../support/engine/engine-on-standin.ts";
import { it } from "../../support/engine/engine-test.ts";

const APP = "notes";
const SECRET = "hunter2-marker";

const QUESTIONS = [
  {
    variable: "notes",
    schema: {
      type: "dict",
      attrs: [
        { variable: "motto", schema: { type: "string", required: true, max_length: 20 } },
        { variable: "address", schema: { type: "uri" } },
        { variable: "pin", schema: { type: "int" } },
        { variable: "certificate", schema: { type: "int", null: true, $ref: ["definitions/certificate"] } },
      ],
    },
  },
  {
    variable: "network",
    schema: {
      type: "dict",
      attrs: [
        {
          variable: "web_port",
          schema: { type: "dict", attrs: [{ variable: "port_number", schema: { type: "int", min: 1, max: 65_535 } }] },
        },
      ],
    },
  },
] as const;

const SCHEMAS = [{ app: APP, train: "community", version: "1.3.0", questions: QUESTIONS }];

const NETWORK = { web_port: { port_number: 30_961 } };

interface Opened extends EngineOnStandin {
  /** The problems about values a preview of the install has. */
  preview(answers?: Readonly<Record<string, Json>>): Promise<readonly Problem[]>;
}

async function open(
  notes: object,
  options: Parameters<typeof openOnStandin>[1] = {},
  more: Record<string, unknown> = {},
): Promise<Opened> {
  const raw = { app_values: { notes, network: NETWORK }, ...more };
  const world = await openOnStandin({ [APP]: raw }, { schemas: SCHEMAS, ...options });
  const preview = async (answers: Readonly<Record<string, Json>> = {}) => {
    const { problems } = await world.engine().preview(APP, { answers });
    return problems.filter(({ code }) => code.startsWith("VALUE_"));
  };
  return { ...world, preview };
}

const question = (key: string, type = "text") => ({ key, type, question: `Which ${key}?`, required: true });

describe("the preview of an install", () => {
  it.for(GENERATIONS)("on %s has the findings of the offline check, at their places in the script", async (release) => {
    const world = await open({ motto: "slow", exports: "/mnt/tank", pin: "7" }, { generation: release });
    expect(await world.preview()).toMatchObject([
      {
        code: "VALUE_UNKNOWN",
        severity: "warning",
        path: ["app_values", "notes", "exports"],
        message: '"notes.exports" is no setting of notes 1.3.0: the host takes it and does nothing with it',
        line: 1,
        length: '"exports"'.length,
      },
      {
        code: "VALUE_COERCED",
        severity: "info",
        path: ["app_values", "notes", "pin"],
        message: '"notes.pin" is the text "7"; the host makes 7 of it',
      },
    ]);
    const [unknown, coerced] = await world.preview();
    expect(coerced?.column).toBeGreaterThan(unknown?.column ?? Number.POSITIVE_INFINITY);
  });

  it("tells the warnings beside what else the host has against it, and the task has them as marks", async () => {
    const world = await open({ motto: "slow", exports: "/mnt/tank", pin: "7" });
    const { advice } = await world.engine().preview(APP, {});
    const said = expect.stringMatching(/^notes\.json:1:\d+: "notes\.exports" is no setting of notes 1\.3\.0/);
    expect(advice).toEqual([{ code: "VALUE_UNKNOWN", message: said, hint: expect.stringContaining("remove the key") }]);
    const { id } = await world.engine().install(APP);
    const view = await world.settled({ id });
    expect(view).toMatchObject({ state: "COMPLETED", marks: [`advice: ${advice[0]?.message}`] });
  });

  it("judges the answers given, and the script alone while one is missing", async () => {
    const world = await open(
      { motto: "$QUESTION(motto)", address: "$QUESTION(address)" },
      {},
      { installation_questions: [question("motto"), question("address")] },
    );
    expect(await world.preview({ motto: "slow" })).toMatchObject([
      { code: "VALUE_FORM", message: expect.stringContaining('the question "address" takes any text') },
    ]);
    expect(await world.preview({ motto: "slow", address: "https://example.com/" })).toEqual([]);
    expect(await world.preview({ motto: "much too long for a motto", address: "https://example.com" })).toMatchObject([
      { code: "VALUE_LENGTH", severity: "warning", path: ["app_values", "notes", "motto"] },
      { code: "VALUE_COERCED", severity: "info", path: ["app_values", "notes", "address"] },
    ]);
  });

  it("shows no password", async () => {
    const script = { installation_questions: [question("pin", "password")] };
    const world = await open({ motto: "slow", pin: "$QUESTION(pin)" }, {}, script);
    for (const pin of [SECRET, "12"]) {
      const found = await world.preview({ pin });
      expect(found).toHaveLength(1);
      expect(JSON.stringify(found)).not.toContain(pin === SECRET ? SECRET : '"12');
    }
  });

  it("knows the host's certificates", async () => {
    const world = await open({ motto: "slow", certificate: 7 }, { certificates: [1, 7] });
    expect(await world.preview()).toEqual([]);
    const without = await open({ motto: "slow", certificate: 7 });
    expect(await without.preview()).toMatchObject([
      {
        code: "VALUE_HOST",
        severity: "warning",
        message: '"notes.certificate" is certificate 7, which this host does not have',
      },
    ]);
  });

  it("judges a custom app by the host's generic app", async () => {
    const world = await openOnStandin(
      {
        own: {
          custom: true,
          metadata: { name: "Own", description: "d", icon: "own.svg", version: "1.0.0" },
          app_values: { image: { repository: "example/own", label: "1" } },
        },
      },
      {
        schemas: [
          {
            app: "ix-app",
            train: "stable",
            version: "1.3.4",
            questions: [
              {
                variable: "image",
                schema: { type: "dict", attrs: [{ variable: "repository", schema: { type: "string" } }] },
              },
            ],
          },
        ],
      },
    );
    const { problems } = await world.engine().preview("own", {});
    const found = problems.filter(({ code }) => code.startsWith("VALUE_"));
    expect(found).toMatchObject([{ code: "VALUE_UNKNOWN", path: ["app_values", "image", "label"] }]);
  });
});

describe("an install", () => {
  it("is not refused for a finding: the host is the judge", async () => {
    const world = await open({ motto: "much too long for a motto" });
    const { id } = await world.engine().install(APP);
    const view = await world.settled({ id });
    expect(view).toMatchObject({ state: "FAILED", failure: { code: "HOST_INVALID" } });
    expect(view.failure?.context).toContainEqual({
      label: "notes.motto",
      value: "String should have at most 20 characters",
    });
    expect(view.marks).toEqual([expect.stringContaining('"notes.motto" does not fit notes 1.3.0')]);
  });

  it("asks the host once for what the app accepts", async () => {
    const world = await open({ motto: "slow" });
    await world.preview();
    await world.settled(await world.engine().install(APP));
    const asked = world.standin.control.calls().filter(({ method }) => method === "catalog.get_app_details");
    expect(asked).toHaveLength(1);
  });

  it("goes on, without a finding, where the host does not answer the question", async () => {
    const world = await open({ motto: "slow", exports: "/mnt/tank" });
    world.standin.control.arm("slow-answer@catalog.get_app_details*9=60000000");
    const { id } = await world.engine().install(APP);
    expect(await world.settled({ id })).toMatchObject({ state: "COMPLETED", marks: [] });
  });
});

describe("values the host converts", () => {
  const CONVERTED = { motto: "slow", pin: "7", address: "http://example.com" };

  it("are no drift", async () => {
    const world = await open(CONVERTED);
    await world.settled(await world.engine().install(APP));
    expect(await world.host().appConfig(APP)).toMatchObject({ notes: { pin: 7, address: "http://example.com/" } });
    expect((await world.engine().lookForDrift()).findings).toEqual([]);
    const state = world.standin.control.state().apps[APP];
    const notes = { ...CONVERTED, address: "http://example.com/", pin: 8 };
    if (state !== undefined) state.values = { ...state.values, notes };
    expect((await world.engine().lookForDrift()).findings).toMatchObject([
      { code: "DRIFT_VALUE", subject: "notes.pin" },
    ]);
  });

  it("are no drift after an upgrade either, which leaves them as they are", async () => {
    const world = await open(CONVERTED);
    await world.settled(await world.engine().install(APP));
    world.standin.control.release(APP, "1.4.0");
    expect(await world.settled(await world.engine().upgrade(APP))).toMatchObject({ state: "COMPLETED" });
    expect((await world.engine().lookForDrift()).findings).toEqual([]);
    const app = world.standin.control.state().apps[APP];
    const notes = { ...CONVERTED, address: "http://example.com/", pin: 8 };
    if (app !== undefined) app.values = { ...app.values, notes };
    expect((await world.engine().lookForDrift()).findings).toMatchObject([
      { code: "DRIFT_VALUE", subject: "notes.pin" },
    ]);
  });

  it("are no difference of an update that sends them again", async () => {
    const world = await open(CONVERTED);
    await world.settled(await world.engine().install(APP));
    expect((await world.engine().preview(APP, {}, "options")).differences).toEqual([]);
    expect((await world.engine().form(APP, "options")).differences).toEqual([]);
    await world.publish({ [APP]: { app_values: { notes: { ...CONVERTED, pin: "9" }, network: NETWORK } } });
    const changed = [{ path: ["notes", "pin"], kind: "changed", before: 7, after: 9 }];
    expect((await world.engine().preview(APP, {}, "options")).differences).toEqual(changed);
  });

  it("are those of its own app, where a retry finds the name taken", async () => {
    const world = await open(CONVERTED);
    world.standin.control.arm("job-aborted@app.create");
    const { id } = await world.engine().install(APP);
    expect(await world.settled({ id })).toMatchObject({ state: "FAILED", failure: { code: "HOST_JOB_ABORTED" } });
    await expect.poll(async () => (await world.host().app(APP))?.state).toBe("RUNNING");
    await world.engine().retry(id);
    expect(await world.settled({ id })).toMatchObject({ state: "COMPLETED" });
  });

  it("are what an update was to bring, if its answer is lost", async () => {
    const world = await open(CONVERTED);
    await world.settled(await world.engine().install(APP));
    await world.publish({ [APP]: { app_values: { notes: { ...CONVERTED, pin: "9" }, network: NETWORK } } });
    world.standin.control.arm("service-restart@app.update:60");
    const { id } = await world.engine().update(APP);
    expect(await world.settled({ id })).toMatchObject({ state: "COMPLETED" });
    expect(await world.host().appConfig(APP)).toMatchObject({ notes: { pin: 9 } });
    expect(world.standin.control.calls().filter(({ method }) => method === "app.update")).toHaveLength(1);
  });
});
