/** Drift as an engine finds it: an app is installed, then changed from outside. */
import { expect } from "vitest";
import { renderDrift } from "../../../src/cli/ui/drift-text.ts";
import type { Drift, DriftFinding } from "../../../src/engine/api.ts";
import { Drift as DriftBody } from "../../../src/http/schemas/drifts.ts";
import { it, openWorld } from "../../support/engine/engine-test.ts";
import { type EngineWorld, settledTask } from "../../support/engine/engine-world.ts";
import { addDirectory, addFile, addLink, faultOf, makeInstance } from "../../support/engine/scripted-world.ts";
import { link, SELECTED } from "../links/linking-demo.ts";
import { lockDemo } from "../uninstall/uninstall-world.ts";

const DATA = "/mnt/tank/apps/demo";
const SECRET = "swordfish-9";

const DEMO = {
  requirements: { locations: ["ApplicationsPerformance"], specifications: [], permissions: [], ports: [] },
  installation_questions: [
    { question: "Team?", type: "text", key: "team", default: "blue" },
    { question: "Password?", type: "password", key: "password", default: "first" },
  ],
  ensure_directories_exists: [
    { path: "$LOCATION(ApplicationsPerformance)/demo", owner: { user: "www-data" } },
    { path: "$LOCATION(ApplicationsPerformance)/demo/out", network_share: true },
  ],
  app_values: { demo: { team: "$QUESTION(team)", password: "$QUESTION(password)" } },
};

async function installDemo(engine: Record<string, unknown> = {}): Promise<EngineWorld> {
  const world = await openWorld({ catalog: { demo: DEMO }, host: { deployingFor: 0 }, engine });
  await settledTask(world.engine, (await world.engine.install("demo", { answers: { password: SECRET } })).id);
  return world;
}

/** Changes the app as its own page on the host does. */
function changeValues({ host }: EngineWorld, values: Record<string, string>): void {
  const instance = host.script.world.instances.get("demo");
  if (instance !== undefined) instance.values = { demo: { ...Object(instance.values["demo"]), ...values } };
}

const name = ({ findings }: Drift) => findings.map(({ code, subject }) => `${code} ${subject}`);

it("is found in the version, options, directories and shares of an app, shows no secret, and an update ends it", async () => {
  const world = await installDemo();
  const { engine, host } = world;
  expect(await engine.lookForDrift()).toMatchObject({ findings: [], skipped: [], lookedAt: expect.any(String) });

  const { paths, shares } = host.script.world;
  paths.set(DATA, { type: "DIRECTORY", uid: 0, gid: 0 });
  paths.delete(`${DATA}/out`);
  host.script.setApp("demo", { version: "9.0.0" });
  changeValues(world, { team: "red", password: "another one" });
  const before = host.script.changes().length;
  const drift = await engine.lookForDrift();
  expect(name(drift)).toEqual([
    "DRIFT_VERSION demo",
    "DRIFT_VALUE demo.team",
    "DRIFT_VALUE demo.password",
    `DRIFT_OWNER ${DATA}`,
    `DRIFT_DIRECTORY_GONE ${DATA}/out`,
  ]);
  expect(drift.findings[1]).toMatchObject({ expected: "blue", found: "red" });
  expect(JSON.stringify(drift)).not.toMatch(/swordfish|another one/);
  expect(host.script.changes()).toHaveLength(before);
  expect(engine.drift()).toEqual(drift);

  const [{ proposal } = { proposal: null }] = drift.findings;
  expect(proposal).toEqual({ method: "update", appId: "demo" });
  await settledTask(engine, (await engine.update("demo")).id);
  expect(await engine.lookForDrift()).toMatchObject({ findings: [] });
  shares.length = 0;
  addDirectory(host.script.world, "/mnt/tank/elsewhere");
  addLink(host.script.world, DATA, "/mnt/tank/elsewhere");
  expect(name(await engine.lookForDrift())).toEqual([
    `DRIFT_DIRECTORY_REPLACED ${DATA}`,
    `DRIFT_DIRECTORY_REPLACED ${DATA}/out`,
  ]);
  addFile(host.script.world, "/mnt/tank/file");
  addLink(host.script.world, DATA, "/mnt/tank/file");
  expect(name(await engine.lookForDrift())).toEqual([
    `DRIFT_DIRECTORY_REPLACED ${DATA}`,
    `DRIFT_DIRECTORY_REPLACED ${DATA}/out`,
  ]);
});

it("is a directory that is gone where its locked dataset leaves an empty one of the host's, and nothing is proposed", async () => {
  const { engine, host } = await installDemo();
  const { world } = host.script;
  lockDemo(world, true);
  world.paths.set(DATA, { type: "DIRECTORY", uid: 0, gid: 0 });
  world.paths.delete(`${DATA}/out`);
  expect((await engine.lookForDrift()).findings).toMatchObject([
    { code: "DRIFT_DIRECTORY_GONE", subject: DATA, proposal: null },
    { code: "DRIFT_DIRECTORY_GONE", subject: `${DATA}/out`, proposal: null },
  ]);
});

it("is one missing location for all directories below it, and nothing is proposed", async () => {
  const { engine, host } = await installDemo();
  const { paths } = host.script.world;
  for (const path of [...paths.keys()].filter((path) => path.startsWith("/mnt/tank/apps"))) paths.delete(path);
  expect((await engine.lookForDrift()).findings).toMatchObject([
    { code: "DRIFT_DIRECTORY_GONE", subject: "/mnt/tank/apps", proposal: null },
  ]);
});

it("keeps of a plan of several apps each app's own secrets, also where another one was forgotten first", async () => {
  const make = { app_values: { team: "$QUESTION(team)", token: "$RANDOM_STRING(20)" } };
  const installation_questions = [{ question: "Team?", type: "text", key: "team", default: "blue" }];
  const world = await openWorld({
    catalog: { demo: { ...make, installation_questions, hooks: [link()] }, other: { ...make, installation_questions } },
    host: { deployingFor: 0 },
  });
  const { engine, host, store } = world;
  const { instances } = host.script.world;
  const tokenOf = (appId: string) => String(instances.get(appId)?.values["token"]);
  const { id } = await engine.install("demo", { links: [SELECTED] });
  await settledTask(engine, id);
  const [own, others] = [tokenOf("demo"), tokenOf("other")];
  expect(store.plan(id)?.["secrets"]).toEqual(expect.arrayContaining([own, others]));
  await engine.lookForDrift();
  const left = JSON.stringify(store.setting("demo", "left"));
  expect(left).toContain(own);
  expect(left).not.toContain(others);

  // as before the first look
  store.keepSettings("demo", { left: null });
  await settledTask(engine, (await engine.uninstall("other", { keepData: false })).id);
  expect(JSON.stringify(store.plan(id))).not.toContain(others);
  const demo = instances.get("demo");
  if (demo !== undefined) demo.values = { ...demo.values, team: `was ${own}`, token: "typed" };
  const drift = await engine.lookForDrift();
  expect(name(drift)).toEqual(["DRIFT_VALUE team", "DRIFT_VALUE token"]);
  expect(JSON.stringify(drift)).not.toContain(own);
});

it("shows no password another one was put in the place of, nor that one, in another option", async () => {
  const world = await installDemo();
  const [update, other] = ["swordfish-of-today", "swordfish-of-the-host"];
  await settledTask(world.engine, (await world.engine.update("demo", { answers: { password: update } })).id);
  changeValues(world, { team: `${SECRET} ${update}`, password: other });
  expect((await world.engine.lookForDrift()).findings[0]).not.toHaveProperty("found");
  changeValues(world, { team: other });
  const drift = await world.engine.lookForDrift();
  expect(name(drift)).toEqual(["DRIFT_VALUE demo.team", "DRIFT_VALUE demo.password"]);
  expect(JSON.stringify(drift)).not.toContain(other);
  changeValues(world, { team: SECRET });
  expect(JSON.stringify(await world.engine.lookForDrift())).not.toContain(SECRET);
});

it("is found in options after an upgrade of the package too: what was changed before it, and after", async () => {
  const world = await installDemo();
  const { engine, host } = world;
  changeValues(world, { team: "red" });
  const upgrade = async (version: string) => {
    host.script.world.catalog.set("demo", { train: "stable", title: "Demo", icon: "", versions: [version] });
    host.script.setApp("demo", { upgradeAvailable: true });
    const { id } = await engine.upgrade("demo");
    expect(await settledTask(engine, id)).toMatchObject({ state: "COMPLETED" });
  };
  await upgrade("9.0.0");
  expect((await engine.lookForDrift()).findings).toMatchObject([
    { code: "DRIFT_VALUE", subject: "demo.team", expected: "blue", found: "red" },
  ]);
  changeValues(world, { team: "blue", password: "another one" });
  const drift = await engine.lookForDrift();
  expect(name(drift)).toEqual(["DRIFT_VALUE demo.password"]);
  expect(JSON.stringify(drift)).not.toMatch(/swordfish|another one/);

  // a task of which nobody knows how it left them
  world.store.keepSettings("demo", { changedBy: "unknown:1" });
  await upgrade("10.0.0");
  expect(await engine.lookForDrift()).toMatchObject({ findings: [], skipped: [] });
});

it("is an app that is gone until it is installed again, and none that this engine has removed", async () => {
  const { engine, host } = await installDemo();
  const { instances } = host.script.world;
  const demo = instances.get("demo");
  instances.delete("demo");
  const { findings } = await engine.lookForDrift();
  expect(findings).toEqual<readonly Partial<DriftFinding>[]>([
    expect.objectContaining({ code: "DRIFT_APP_GONE", proposal: { method: "install", appId: "demo" } }),
  ]);
  if (demo !== undefined) instances.set("demo", { ...demo, app: { ...demo.app, appId: "other" } });
  expect((await engine.lookForDrift()).findings).toMatchObject([{ code: "DRIFT_NAME_TAKEN", found: "other" }]);
  instances.delete("demo");
  await settledTask(engine, (await engine.install("demo")).id);
  expect(await engine.lookForDrift()).toMatchObject({ findings: [] });
  await settledTask(engine, (await engine.uninstall("demo")).id);
  expect(await engine.lookForDrift()).toMatchObject({ findings: [] });
});

it("is not looked for in an app a task is at work on: what was found before stays", async () => {
  const world = await installDemo();
  const { engine, host } = world;
  changeValues(world, { team: "red" });
  const { findings } = await engine.lookForDrift();
  const release = host.script.hold("app.update");
  const { id } = await engine.update("demo");
  expect(await engine.lookForDrift()).toMatchObject({ findings, skipped: [{ appId: "demo", code: "TASK_CONFLICT" }] });
  release();
  await settledTask(engine, id);
  expect(await engine.lookForDrift()).toMatchObject({ findings: [], skipped: [] });
});

/** Has the host's next list of apps come back only once `meanwhile` is done: it says what was there before. */
function holdApps({ host }: EngineWorld, meanwhile: () => Promise<unknown>): void {
  const { apps } = host;
  host.apps = async () => {
    host.apps = apps;
    const answer = await apps();
    await meanwhile();
    return answer;
  };
}

const MEANWHILE: Readonly<Record<string, (world: EngineWorld) => Promise<unknown>>> = {
  "an upgrade": async ({ engine, host }) => {
    const offered = { train: "stable", title: "DEMO", icon: "", versions: ["1.0.0", "2.0.0", "3.0.0"] };
    host.script.world.catalog.set("demo", offered);
    host.script.setApp("demo", { upgradeAvailable: true });
    await settledTask(engine, (await engine.upgrade("demo")).id);
  },
  "an install": async ({ engine }) => {
    await settledTask(engine, (await engine.install("other")).id);
  },
  "an uninstall": async ({ engine }) => {
    await settledTask(engine, (await engine.uninstall("demo")).id);
  },
};

it.for(Object.keys(MEANWHILE))("is none that a task makes while the host answers: %s", async (what) => {
  const world = await openWorld({ catalog: { demo: DEMO, other: DEMO }, host: { deployingFor: 0 } });
  const { engine } = world;
  await settledTask(engine, (await engine.install("demo")).id);
  expect(await engine.lookForDrift()).toMatchObject({ findings: [], skipped: [] });
  holdApps(world, async () => MEANWHILE[what]?.(world));
  const skipped = [{ appId: what === "an install" ? "other" : "demo", code: "TASK_CONFLICT" }];
  expect(await engine.lookForDrift()).toMatchObject({ findings: [], skipped });
  expect(await engine.lookForDrift()).toMatchObject({ findings: [], skipped: [] });
});

it("is none of a task that was at work when the host was asked and has ended since", async () => {
  const world = await installDemo();
  const { engine, host } = world;
  const { catalog } = host.script.world;
  catalog.set("demo", { train: "stable", title: "DEMO", icon: "", versions: ["1.0.0", "2.0.0", "3.0.0"] });
  host.script.setApp("demo", { upgradeAvailable: true });
  const release = host.script.hold("app.upgrade");
  const { id } = await engine.upgrade("demo");
  await expect.poll(() => host.script.calls.some(({ method }) => method === "app.upgrade")).toBe(true);
  holdApps(world, async () => {
    release();
    await settledTask(engine, id);
  });
  const skipped = [{ appId: "demo", code: "TASK_CONFLICT" }];
  expect(await engine.lookForDrift()).toMatchObject({ findings: [], skipped });
  expect(await engine.lookForDrift()).toMatchObject({ findings: [], skipped: [] });
});

it("is found when the trees of the tasks have been pruned", async () => {
  const world = await installDemo();
  const { engine, store } = world;
  await engine.lookForDrift();
  while (store.pruneEndedTasks(0) > 0);
  expect(store.plan(engine.tasks()[0]?.id ?? "")).toBeNull();
  changeValues(world, { team: "red" });
  expect(name(await engine.lookForDrift())).toEqual(["DRIFT_VALUE demo.team"]);
});

it("is kept where the host does not answer, or does not tell of one app", async () => {
  const world = await installDemo();
  const { engine, host } = world;
  changeValues(world, { team: "red" });
  const found = await engine.lookForDrift();
  host.script.refuse("app.query", faultOf("HOST_CALL_FAILED", "no"), "yes");
  expect(await engine.lookForDrift()).toEqual({
    ...found,
    failed: { at: expect.any(String), code: "HOST_CALL_FAILED", hint: expect.any(String) },
  });
  host.script.refuse("app.config", faultOf("HOST_NOT_FOUND", "no such app"), "yes");
  expect(await engine.lookForDrift()).toMatchObject({
    findings: found.findings,
    skipped: [{ appId: "demo", code: "HOST_NOT_FOUND" }],
  });
});

it("is looked for by itself after a start, and told to whoever watches", async () => {
  const world = await installDemo();
  changeValues(world, { team: "red" });
  const { engine } = await world.restart({ timing: { driftEvery: 3_600_000, driftSettle: 1 } });
  await expect.poll(() => name(engine.drift())).toEqual(["DRIFT_VALUE demo.team"]);
  const told = (async () => {
    for await (const { type } of engine.watchHints()) if (type === "drift.changed") return type;
    return null;
  })();
  await settledTask(engine, (await engine.update("demo")).id);
  expect(await told).toBe("drift.changed");
  await expect.poll(() => engine.drift().findings).toEqual([]);
});

it("is a link whose target was installed anew since, until it is made again; a forgotten app leaves nothing", async () => {
  const world = await openWorld({ catalog: { demo: { hooks: [link()] }, other: {} }, host: { deployingFor: 0 } });
  const { engine, host, store } = world;
  const install = async (appId: string, request = {}) => settledTask(engine, (await engine.install(appId, request)).id);
  const readLinks = async () => (await engine.app("demo"))?.pairings;
  await install("other");
  await install("demo", { links: [SELECTED] });
  expect(await engine.lookForDrift()).toMatchObject({ findings: [] });
  expect(await readLinks()).toMatchObject([{ status: "connected" }]);

  host.script.world.instances.delete("other");
  expect(await readLinks()).toEqual([expect.not.objectContaining({ connectAgain: true })]);
  await install("other");
  expect(await readLinks()).toMatchObject([{ status: "installed", connectAgain: true }]);
  const { findings } = await engine.lookForDrift();
  expect(findings).toMatchObject([
    { code: "DRIFT_LINK_LOST", subject: "other", proposal: { method: "runAction", appId: "demo", hookId: "connect" } },
  ]);
  await settledTask(engine, (await engine.runAction("demo", "connect")).id);
  expect(await engine.lookForDrift()).toMatchObject({ findings: [] });
  expect(await readLinks()).toEqual([expect.not.objectContaining({ connectAgain: true })]);

  expect(store.setting("demo", "left")).not.toBeNull();
  await settledTask(engine, (await engine.uninstall("demo", { keepData: false })).id);
  expect(store.setting("demo", "left")).toBeNull();
});

it("is an app of the catalog that came by other means, until it is adopted; a person may leave it", async () => {
  const world = await installDemo();
  const { engine, host } = world;
  host.script.world.instances.set(...makeInstance("unheard-of"));
  expect((await engine.lookForDrift()).findings).toEqual([]);
  const { values = {} } = host.script.world.instances.get("demo") ?? {};
  await settledTask(engine, (await engine.uninstall("demo")).id);
  expect((await engine.lookForDrift()).findings).toEqual([]);
  host.script.world.instances.set(...makeInstance("demo", values, { custom: true }));
  expect((await engine.lookForDrift()).findings).toEqual([]);
  host.script.world.instances.set(...makeInstance("demo", values));
  const drift = await engine.lookForDrift();
  expect(drift).toMatchObject({
    findings: [
      { code: "DRIFT_APP_UNKNOWN", appId: "demo", subject: "demo", proposal: { method: "adopt", appId: "demo" } },
    ],
    skipped: [],
  });
  expect(DriftBody.parse(drift)).toEqual(drift);
  expect(renderDrift(drift)).toContain("  try: slipway adopt demo");
  await settledTask(engine, (await engine.adopt("demo")).id);
  expect((await engine.lookForDrift()).findings).toEqual([]);
});
