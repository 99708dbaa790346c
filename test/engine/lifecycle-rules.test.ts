/** The order of lifecycles and what they do to the host (docs/decisions.md, section 4). */
import { describe, expect } from "vitest";
import { DEFAULT_TIMING } from "../../src/engine/runtime/timing.ts";
import { it, openWorld } from "../support/engine/engine-test.ts";
import { type EngineWorld, type EngineWorldOptions, hookTask, settledTask } from "../support/engine/engine-world.ts";

const hook = (id: string, event: string, more: Record<string, unknown> = {}) => ({
  id,
  title: id,
  events: [event],
  entrypoint: "run",
  scriptContent: `export async function run(ctx) { ctx.fail("look at the host"); }`,
  ...more,
});
const DATASETS = ["tank", "tank/apps", "tank/media"];
const OFFERED = { train: "stable", title: "Demo", icon: "" };

async function open(catalog: EngineWorldOptions["catalog"], host: EngineWorldOptions["host"] = {}) {
  return openWorld({ catalog, host: { datasets: DATASETS, ...host } });
}

/** Opens a world whose app "demo" is installed at 1.0.0; 2.0.0 is there to upgrade to. */
async function installed(script: Record<string, unknown>, host: EngineWorldOptions["host"] = {}, prepare = noop) {
  const opened = await open({ demo: script }, { catalog: { demo: { ...OFFERED, versions: ["1.0.0"] } }, ...host });
  await prepare(opened);
  const { id } = await opened.engine.install("demo");
  await settledTask(opened.engine, id);
  opened.host.script.world.catalog.set("demo", { ...OFFERED, versions: ["1.0.0", "2.0.0"] });
  return opened;
}

async function noop(_world: EngineWorld): Promise<void> {}

const needs = (...locations: string[]) => ({ locations, specifications: [], permissions: [], ports: [] });

/** The changes the host took so far, once each, in the order they began. */
const changed = ({ host }: EngineWorld) => [...new Set(host.script.changes().map(({ method }) => method))];

describe("an install", () => {
  it("makes directories and shares, runs onBeforeInstall, creates, waits, runs onAfterInstall, then links", async () => {
    const link = {
      ...hook("link", ""),
      events: undefined,
      rerun: "converge",
      conditions: [{ role: "visibility", type: "appInstalled", app: "other" }],
    };
    const at = await open({
      demo: {
        requirements: needs("Media"),
        ensure_directories_exists: [
          { path: "$LOCATION(Media)/demo", owner: { user: "apps" } },
          { path: "$LOCATION(Media)", network_share: true },
        ],
        hooks: [hook("after", "onAfterInstall"), hook("before", "onBeforeInstall"), link],
      },
      other: {},
    });
    const { engine, host } = at;
    const request = { links: [{ hookId: "link", runsOnAppId: "demo", targets: ["other"] }] };
    const { id } = await engine.install("demo", request);
    const states = async () => (await settledTask(engine, id)).children.map((task) => [task.hookId, task.state]);
    const rest = [
      [undefined, "PENDING"],
      ["link", "PENDING"],
    ];
    expect(await states()).toEqual([["before", "AWAITING_RETRY"], ["after", "PENDING"], ...rest]);
    expect(changed(at)).toEqual(["pool.dataset.create", "filesystem.setacl", "sharing.smb.create"]);
    await engine.skip(hookTask(await settledTask(engine, id), "before").id);
    expect(await states()).toEqual([["before", "SKIPPED"], ["after", "AWAITING_RETRY"], ...rest]);
    expect(changed(at).slice(3)).toEqual(["app.create"]);
    expect(host.script.world.instances.get("demo")?.app.state).toBe("RUNNING");
    await engine.skip(hookTask(await settledTask(engine, id), "after").id);
    expect((await states()).slice(2)).toEqual([
      [undefined, "COMPLETED"],
      ["link", "FAILED"],
    ]);
  });

  it("of an app that was removed starts from its stored answers", async () => {
    const { engine, host } = await open({
      demo: {
        installation_questions: [{ question: "Name?", type: "text", key: "name", required: true }],
        app_values: { name: "$QUESTION(name)", token: "$RANDOM_STRING(12)" },
      },
    });
    await settledTask(engine, (await engine.install("demo", { answers: { name: "Ada" } })).id);
    const before = host.script.world.instances.get("demo")?.values;
    host.script.world.instances.delete("demo");
    const [step] = (await engine.form("demo", "reinstall")).steps;
    expect(step?.sections[0]?.questions).toMatchObject([{ key: "name", default: "Ada" }]);
    await settledTask(engine, (await engine.install("demo")).id);
    expect(host.script.world.instances.get("demo")?.values).toEqual(before);
  });

  it("names the app by its id: from its train of the host's catalog, custom ones from ix-app in stable", async () => {
    const metadata = { name: "Mine", description: "d", icon: "i.svg", version: "1.0.0" };
    const versions = ["1.0.0"];
    const { engine, host } = await open(
      { demo: {}, mine: { custom: true, metadata } },
      { catalog: { demo: { ...OFFERED, train: "community", versions }, "ix-app": { ...OFFERED, versions } } },
    );
    for (const app of ["demo", "mine"]) await settledTask(engine, (await engine.install(app)).id);
    const created = host.script.calls.flatMap(({ method, params }) => (method === "app.create" ? [params] : []));
    expect(created).toMatchObject([
      { name: "demo", catalogApp: "demo", train: "community" },
      { name: "mine", catalogApp: "ix-app", train: "stable" },
    ]);
  });

  it("runs no optional hook whose consent is off, and leaves no task of it", async () => {
    const { engine } = await open({
      demo: {
        hooks: [
          hook("declined", "onAfterInstall", { userOptional: {} }),
          hook("off", "onAfterInstall", { userOptional: { default: false } }),
        ],
      },
    });
    const { id } = await engine.install("demo", { consents: { declined: false } });
    expect(await settledTask(engine, id)).toMatchObject({ state: "COMPLETED", children: [] });
  });

  it("waits 10 minutes for its app to run unless configured", () => {
    expect(DEFAULT_TIMING.runningDeadline).toBe(600_000);
  });
});

describe("an upgrade", () => {
  it("takes snapshots, runs onBeforeUpgrade, upgrades, repairs ownership, then runs onAfterUpgrade", async () => {
    const at = await installed({
      requirements: needs("ApplicationsPerformance"),
      ensure_directories_exists: [
        { path: "$LOCATION(ApplicationsPerformance)/demo", owner: { user: "apps" }, snapshot: { id: "data" } },
      ],
      hooks: [hook("after", "onAfterUpgrade"), hook("before", "onBeforeUpgrade")],
    });
    const { engine, host } = at;
    const { paths } = host.script.world;
    const path = "/mnt/tank/apps/demo";
    paths.set(path, { type: "DIRECTORY", uid: 0, gid: 0 });
    const before = host.script.changes().length;
    const since = () =>
      host.script
        .changes()
        .slice(before)
        .map(({ method }) => method);
    const { id } = await engine.upgrade("demo");
    expect(hookTask(await settledTask(engine, id), "before").state).toBe("AWAITING_RETRY");
    expect(since()).toEqual(["pool.snapshot.create"]);
    await engine.skip(hookTask(await settledTask(engine, id), "before").id);
    const view = await settledTask(engine, id);
    expect(hookTask(view, "after").state).toBe("AWAITING_RETRY");
    expect(since()).toEqual(["pool.snapshot.create", "app.upgrade", "pool.snapshot.create", "filesystem.setacl"]);
    expect(paths.get(path)).toMatchObject({ uid: 568 });
  });
});

describe("an update", () => {
  it("snapshots first and repairs ownership last, like an upgrade", async () => {
    const path = "/mnt/tank/apps/demo";
    const { engine, host } = await installed({
      requirements: needs("ApplicationsPerformance"),
      ensure_directories_exists: [
        { path: "$LOCATION(ApplicationsPerformance)/demo", owner: { user: "apps" }, snapshot: { id: "data" } },
      ],
    });
    host.script.world.paths.set(path, { type: "DIRECTORY", uid: 0, gid: 0 });
    const before = host.script.changes().length;
    const { id } = await engine.update("demo");
    expect(await settledTask(engine, id)).toMatchObject({ state: "COMPLETED", result: { repaired: [path] } });
    const since = host.script.changes().slice(before);
    expect(since.map(({ method }) => method)).toEqual([
      "pool.snapshot.create",
      "app.update",
      "pool.snapshot.create",
      "filesystem.setacl",
    ]);
  });
});

describe("snapshots", () => {
  const base = "/mnt/tank/apps/demo";
  const script = {
    requirements: needs("ApplicationsPerformance"),
    ensure_directories_exists: ["a", "b"].map((name) => ({
      path: `$LOCATION(ApplicationsPerformance)/demo/${name}`,
      snapshot: { id: "data" },
    })),
  };
  /** Directories that were there before are not made into datasets, so both lie on one. */
  async function onOneDataset({ host }: EngineWorld) {
    for (const path of [base, `${base}/a`, `${base}/b`]) await host.makeDirectory(path);
  }

  it("of entries with one id and one dataset are one, its platform:path naming each", async () => {
    const { engine, host } = await installed(script, {}, onOneDataset);
    await settledTask(engine, (await engine.update("demo")).id);
    expect(host.script.world.snapshots).toMatchObject([
      { dataset: "tank/apps", properties: { "platform:path": `${base}/a,${base}/b` } },
    ]);
  });

  it("say what they were taken for: pre-upgrade or pre-update", async () => {
    const { engine, host } = await installed(script, {}, onOneDataset);
    await settledTask(engine, (await engine.upgrade("demo")).id);
    await settledTask(engine, (await engine.update("demo")).id);
    const purposes = host.script.world.snapshots.map(({ properties }) => properties["platform:purpose"]);
    expect(purposes).toEqual(["pre-upgrade", "pre-update"]);
  });

  it("are not taken twice where the answer to the first is lost", async () => {
    const { engine, host } = await installed(script, {}, onOneDataset);
    host.script.loseAnswer("pool.snapshot.create", true);
    expect((await settledTask(engine, (await engine.update("demo")).id)).state).toBe("COMPLETED");
    expect(host.script.world.snapshots).toHaveLength(1);
  });
});

describe("owners", () => {
  it("of a location's root: it is shared and snapshotted where it says so, never created, owned or repaired", async () => {
    const at = await installed({
      requirements: needs("Media"),
      ensure_directories_exists: [
        { path: "$LOCATION(Media)", owner: { user: "apps" }, snapshot: { id: "data" }, network_share: true },
      ],
    });
    const marks = ["snapshotCoversLocation: data"];
    for (const change of ["upgrade", "update"] as const) {
      const { id } = await at.engine[change]("demo");
      expect(await settledTask(at.engine, id)).toMatchObject({ state: "COMPLETED", marks });
    }
    const made = ["sharing.smb.create", "app.create", "pool.snapshot.create", "app.upgrade", "app.update"];
    expect(changed(at)).toEqual(made);
    expect(at.host.script.world.snapshots).toHaveLength(2);
    expect(at.host.script.world.snapshots[0]?.properties["platform:path"]).toBe("/mnt/tank/media");
  });

  it("on a dataset that is not NFSv4 are POSIX entries without an ACL mode, and the task says so", async () => {
    const path = "/mnt/tank/apps/demo";
    const marks = [`posixAcl: ${path}`];
    const script = {
      requirements: needs("ApplicationsPerformance"),
      ensure_directories_exists: [
        { path: "$LOCATION(ApplicationsPerformance)/demo", owner: { user: "www-data", group: "apps" } },
      ],
    };
    const { engine, host } = await installed(script, {}, ({ host: fresh }) => fresh.makeDirectory(path));
    expect(engine.tasks()[0]).toMatchObject({ state: "COMPLETED", marks });
    host.script.world.paths.set(path, { type: "DIRECTORY", uid: 0, gid: 0 });
    const { id } = await engine.upgrade("demo");
    expect(await settledTask(engine, id)).toMatchObject({ state: "COMPLETED", marks, result: { repaired: [path] } });
    const acls = host.script.calls.flatMap(({ method, params }) => (method === "filesystem.setacl" ? [params] : []));
    const entry = { path, acl: { acltype: "POSIX1E" }, uid: 33, gid: 568 };
    expect(acls).toMatchObject([entry, entry]);
    expect(host.script.world.datasets.get("tank/apps")?.aclmode).toBe("DISCARD");
  });
});
