/** An upgrade is held against what its version accepts before the host stops the app. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { GENERATIONS, type HostGeneration } from "../../../src/standin/settings.ts";
import { type EngineOnStandin, openOnStandin } from "../../support/engine/engine-on-standin.ts";
import { it } from "../../support/engine/engine-test.ts";

const APP = "notes";
const MOTTO = { variable: "motto", schema: { type: "string", max_length: 20 } };
const SALT = { variable: "salt", schema: { type: "string", required: true, min_length: 8 } };
const FONT = { variable: "font", schema: { type: "string", default: "plain" } };
const notes = (...attrs: readonly object[]) => [{ variable: "notes", schema: { type: "dict", attrs } }];
const entry = (version: string, questions: readonly object[]) => ({ app: APP, train: "community", version, questions });

const CERTIFICATE = { variable: "certificate", schema: { type: "int", null: true, $ref: ["definitions/certificate"] } };
const SCHEMAS = [
  entry("1.3.0", notes(MOTTO)),
  entry("1.4.0", notes(MOTTO, SALT)),
  entry("1.5.0", notes(MOTTO, FONT)),
  entry("1.6.0", notes(MOTTO, CERTIFICATE)),
];
const VALUES = { notes: { motto: "slow" } };
const NEWER = {
  script: { version: "1.1.0" },
  app_values: { notes: { motto: "slow", salt: "$RANDOM_STRING(12)" } },
};

/** An app that runs, and a version of it that requires a value the app lacks. */
async function open(
  generation: HostGeneration = "25.10",
  version = "1.4.0",
  certificates: readonly number[] = [1],
): Promise<EngineOnStandin> {
  const schemas = JSON.parse(JSON.stringify(SCHEMAS));
  const world = await openOnStandin({ [APP]: { app_values: VALUES } }, { generation, schemas, certificates });
  expect(await world.settled(await world.engine().install(APP))).toMatchObject({ state: "COMPLETED" });
  await expect.poll(async () => (await world.host().app(APP))?.state).toBe("RUNNING");
  world.standin.control.release(APP, version);
  return world;
}

function listJobs({ standin }: EngineOnStandin): readonly string[] {
  return standin.control.jobs().map(({ method, state }) => `${method} ${state}`);
}

const WITHHELD = "upgradeWithheld: 1.4.0";

describe("an upgrade whose version is certain to refuse the app's values", () => {
  it.for(GENERATIONS)("on %s fails before the host is asked, and the app runs on", async (release) => {
    const world = await open(release);
    const view = await world.settled(await world.engine().upgrade(APP));
    expect(view).toMatchObject({ state: "FAILED", failure: { code: "HOST_INVALID" } });
    expect(view.marks).toContain(WITHHELD);
    expect(view.failure?.message).toContain("notes.salt: Field required");
    expect(view.failure?.context).toContainEqual({ label: "notes.salt", value: "Field required" });
    expect(view.failure?.context).toContainEqual(expect.objectContaining({ label: "to try" }));
    expect(listJobs(world)).toEqual(["app.create SUCCESS"]);
    expect(await world.host().app(APP)).toMatchObject({ version: "1.3.0", state: "RUNNING" });
    expect(view.remarks?.map(({ text }) => text).join()).toContain("the host was not asked for 1.4.0");
    expect(await world.engine().dismiss(view.id)).toMatchObject({
      result: { app: "notUpgraded", done: [], notDone: ["app.upgrade"] },
    });
  });

  it("is left to the host by Retry", async () => {
    const world = await open();
    const { id } = await world.settled(await world.engine().upgrade(APP));
    await world.engine().retry(id);
    const refused = await world.settled({ id });
    expect(refused).toMatchObject({ state: "FAILED", failure: { code: "HOST_INVALID" } });
    expect(refused.marks).toContain("oldVersionStarted: 1.3.0");
    expect(listJobs(world)).toContain("app.upgrade FAILED");
    const app = world.standin.control.state().apps[APP];
    if (app !== undefined) app.values = { notes: { motto: "slow", salt: "by-hand-1" } };
    await world.engine().retry(id);
    const upgraded = await world.settled({ id });
    expect(upgraded.state).toBe("COMPLETED");
    expect(upgraded.marks).not.toContain(WITHHELD);
    expect(await world.host().app(APP)).toMatchObject({ version: "1.4.0" });
  });

  it("fails with the app running, though an earlier attempt has left it stopped", async () => {
    const world = await open();
    const setValues = (notes: Record<string, string>) => {
      const app = world.standin.control.state().apps[APP];
      if (app !== undefined) app.values = { notes };
    };
    setValues({ motto: "slow", salt: "by-hand-1" });
    world.standin.control.arm("upgrade-left-stopped");
    world.standin.control.arm("job-call-error@app.start");
    const { id } = await world.settled(await world.engine().upgrade(APP));
    expect(await world.host().app(APP)).toMatchObject({ version: "1.3.0", state: "STOPPED" });
    setValues({ motto: "slow" });
    await world.engine().retry(id);
    const view = await world.settled({ id });
    expect(view).toMatchObject({ state: "FAILED", failure: { code: "HOST_INVALID" } });
    expect(view.failure?.message).toContain("the app was left running");
    expect(view.marks).toContain(WITHHELD);
    await expect.poll(async () => (await world.host().app(APP))?.state).toBe("RUNNING");
    expect(listJobs(world).filter((job) => job.startsWith("app.upgrade"))).toEqual(["app.upgrade FAILED"]);
  });

  it("is left out of an upgrade of all apps, with the reason", async () => {
    const world = await open();
    const reason = '1.4.0 of "notes" does not accept its values: "notes.salt" is missing: notes 1.4.0 requires it';
    expect(await world.engine().previewUpgradeAll()).toMatchObject({
      upgrades: [],
      leftOut: [{ appId: APP, code: "HOST_INVALID", message: reason }],
    });
    await expect(world.engine().upgradeAll()).rejects.toMatchObject({
      code: "HOST_UPGRADE_NONE",
      message: expect.stringContaining(reason),
    });
    const app = world.standin.control.state().apps[APP];
    if (app !== undefined) app.values = { notes: { motto: "a motto by hand that is long", salt: "by-hand-1" } };
    const other = await world.engine().previewUpgradeAll({ apps: [APP] });
    expect(other.leftOut).toMatchObject([{ code: "HOST_INVALID" }]);
    expect(JSON.stringify(other)).not.toContain("by hand");
    if (app !== undefined) app.values = { notes: { motto: "slow", salt: "by-hand-1" } };
    expect(await world.settled(await world.engine().upgradeAll())).toMatchObject({
      state: "COMPLETED",
      result: { done: [APP] },
    });
  });

  it("is told in its preview, without a value of the app", async () => {
    const world = await open();
    const { advice, problems } = await world.engine().preview(APP, {}, "upgrade");
    expect(advice).toMatchObject([
      { code: "VALUE_MISSING", message: '"notes.salt" is missing: notes 1.4.0 requires it' },
    ]);
    expect(problems).toMatchObject([{ code: "VALUE_MISSING", severity: "warning", line: 1, column: 1, length: 0 }]);
    const app = world.standin.control.state().apps[APP];
    if (app !== undefined) app.values = { notes: { motto: "a motto by hand that is long", salt: "by-hand-1" } };
    const other = await world.engine().preview(APP, {}, "upgrade");
    expect(other.problems).toMatchObject([{ code: "VALUE_LENGTH" }]);
    expect(JSON.stringify(other.problems)).not.toContain("by hand");
  });

  it("is offered at once with the values of a newer script", async () => {
    const world = await open();
    await world.publish({ [APP]: NEWER });
    const form = await world.engine().form(APP, "upgrade");
    expect(form.request).toMatchObject({ withValues: true, revision: expect.any(String) });
    expect(form.advice).toEqual([]);
    const view = await world.settled(await world.engine().upgrade(APP, form.request));
    expect(view).toMatchObject({ state: "COMPLETED", marks: [], result: { app: "upgraded", to: "1.4.0" } });
    expect(await world.host().appConfig(APP)).toMatchObject({ notes: { salt: expect.stringMatching(/^\w{12}$/) } });
  });

  it("is not offered with values that are refused too", async () => {
    const world = await open();
    await world.publish({ [APP]: { ...NEWER, app_values: { notes: { motto: "slow", salt: "short" } } } });
    const form = await world.engine().form(APP, "upgrade");
    expect(form.request).not.toHaveProperty("withValues");
    const view = await world.settled(await world.engine().upgrade(APP, { withValues: true }));
    expect(view).toMatchObject({ state: "FAILED", failure: { code: "HOST_INVALID" } });
    expect(view.failure?.context).toContainEqual({
      label: "notes.salt",
      value: "String should have at least 8 characters",
    });
    expect(view.marks).toEqual([
      expect.stringMatching(/^advice: notes\.json:1:\d+: "notes\.salt" does not fit/),
      WITHHELD,
    ]);
    expect(listJobs(world)).toEqual(["app.create SUCCESS"]);
  });
});

describe("an upgrade the host is asked for", () => {
  it("is one whose version may rewrite the app's values first", async () => {
    const world = await open();
    const folder = world.standin.localPath(`/mnt/.ix-apps/truenas_catalog/trains/community/${APP}/1.4.0`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "app_migrations.yaml"), "migrations: []\n");
    const view = await world.settled(await world.engine().upgrade(APP));
    expect(view).toMatchObject({ state: "FAILED", failure: { code: "HOST_INVALID" } });
    expect(view.marks).toContain("oldVersionStarted: 1.3.0");
    expect(view.marks).not.toContain(WITHHELD);
  });

  it("is one whose version accepts the values", async () => {
    const world = await open("25.10", "1.5.0");
    expect((await world.engine().preview(APP, {}, "upgrade")).advice).toEqual([]);
    const view = await world.settled(await world.engine().upgrade(APP));
    expect(view).toMatchObject({ state: "COMPLETED", marks: [] });
    expect(await world.host().appConfig(APP)).toMatchObject({ notes: { motto: "slow", font: "plain" } });
  });

  it("is one whose certificate the host did not have when its schema was read", async () => {
    const certificates = [1];
    const world = await open("25.10", "1.6.0", certificates);
    const app = world.standin.control.state().apps[APP];
    if (app !== undefined) app.values = { notes: { motto: "slow", certificate: 7 } };
    expect((await world.engine().preview(APP, {}, "upgrade")).advice).toMatchObject([{ code: "VALUE_HOST" }]);
    certificates.push(7);
    const view = await world.settled(await world.engine().upgrade(APP));
    expect(view).toMatchObject({ state: "COMPLETED", result: { app: "upgraded" } });
    expect(view.marks).not.toContain("upgradeWithheld: 1.6.0");
  });

  it("is one of a host that does not say what it accepts", async () => {
    const world = await open();
    world.standin.control.arm("slow-answer@catalog.get_app_details*9=60000000");
    const view = await world.settled(await world.engine().upgrade(APP));
    expect(view.marks).toEqual(["oldVersionStarted: 1.3.0"]);
  });
});

describe("an update", () => {
  const FIXED = [{ variable: "user", schema: { type: "string", immutable: true } }];

  it("that changes what the app keeps from its install on is a warning, and the host refuses it", async () => {
    const schemas = JSON.parse(JSON.stringify([entry("1.3.0", FIXED)]));
    const world = await openOnStandin({ [APP]: { app_values: { user: "ada" } } }, { schemas });
    await world.settled(await world.engine().install(APP));
    await world.publish({ [APP]: { app_values: { user: "bob" } } });
    const { advice } = await world.engine().preview(APP, {}, "options");
    const message = expect.stringMatching(/^notes\.json:1:\d+: "user" changes a value that notes 1\.3\.0 keeps/);
    expect(advice).toMatchObject([{ code: "VALUE_HOST", message }]);
    const view = await world.settled(await world.engine().update(APP));
    expect(view).toMatchObject({ state: "FAILED", failure: { code: "HOST_INVALID" } });
  });
});
