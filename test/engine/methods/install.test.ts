import { describe, expect } from "vitest";
import { HostError } from "../../../src/engine/host-error.ts";
import { it, openWorld } from "../../support/engine/engine-test.ts";
import { hookTask, settledTask, until } from "../../support/engine/engine-world.ts";
import { faultOf } from "../../support/engine/scripted-world.ts";

const hookOf = (changes: Record<string, unknown> = {}) => ({
  id: "setup",
  title: "Set up",
  events: ["onAfterInstall"],
  scriptContent: "export async function run(ctx) {}",
  entrypoint: "run",
  ...changes,
});

async function installed(script: Record<string, unknown>, host = {}) {
  const world = await openWorld({ catalog: { demo: script }, host });
  const { engine } = world;
  const { id } = await engine.install("demo");
  return { ...world, id, view: await settledTask(engine, id) };
}

describe("an install", () => {
  it("without anything declared creates the app and completes", async () => {
    const { view, host } = await installed({});
    expect(view).toMatchObject({
      kind: "install",
      state: "COMPLETED",
      progress: 100,
      label: "Install DEMO",
      marks: [],
    });
    expect(host.script.changes().map(({ method }) => method)).toEqual(["app.create"]);
    expect(view.result).toMatchObject({ app: "created", done: ["app.create"], notDone: [] });
  });

  it.each(["app.create", "app.start"])(
    "fails with what the host refuses it before %s, and does not ask for ever",
    async (at) => {
      const before = hookOf({
        events: ["onBeforeInstall"],
        optional: false,
        scriptContent: `export async function run(ctx) { ctx.fail("stop here"); }`,
      });
      const { engine, host, id, view } = await installed({ hooks: [before] });
      const refuse = () => {
        host.app = () => Promise.reject(new HostError(faultOf("HOST_PERMISSION", "not yours any more"), "yes"));
      };
      const { startJob } = host;
      if (at === "app.create") refuse();
      else
        host.startJob = (...call) => {
          refuse();
          return startJob(...call);
        };
      await engine.skip(hookTask(view, "setup").id);
      expect(await settledTask(engine, id)).toMatchObject({
        state: "FAILED",
        failure: { code: "HOST_PERMISSION" },
        result: { app: at === "app.create" ? "notCreated" : "created" },
      });
    },
  );

  it("does not know of an app whose job the host refuses to tell about, and a retry finds it", async () => {
    const world = await openWorld({ catalog: { demo: {} } });
    const { engine, host } = world;
    const { waitJob } = host;
    host.waitJob = () => {
      host.waitJob = waitJob;
      return Promise.reject(new HostError(faultOf("HOST_CALL_FAILED", "one bad answer"), "yes"));
    };
    const { id } = await engine.install("demo");
    const view = await settledTask(engine, id);
    expect(view).toMatchObject({ state: "FAILED", failure: { code: "HOST_CALL_FAILED" }, result: { app: "unknown" } });
    await engine.retry(id);
    expect(await settledTask(engine, id)).toMatchObject({ state: "COMPLETED", result: { app: "created" } });
    expect(host.script.done.map(({ method }) => method)).toEqual(["app.create"]);
  });

  it("waits for a host that has had too many questions", async () => {
    const world = await openWorld({ catalog: { demo: {} } });
    const { engine, host } = world;
    host.script.loseAnswer("app.create", true);
    host.script.refuse("core.get_jobs", faultOf("HOST_RATE_LIMITED", "too many", { retryable: true }), "no");
    const { id } = await engine.install("demo");
    expect(await settledTask(engine, id)).toMatchObject({ state: "COMPLETED", result: { app: "created" } });
    expect(host.script.changes().map(({ method }) => method)).toEqual(["app.create"]);
  });

  it("that created its app still says so when a retry is refused", async () => {
    const world = await openWorld({ catalog: { demo: {} } });
    const { engine, host } = world;
    const { startJob } = host;
    host.startJob = (...call) => {
      host.app = () => Promise.reject(new HostError(faultOf("HOST_PERMISSION", "not yours any more"), "yes"));
      return startJob(...call);
    };
    const { id } = await engine.install("demo");
    await settledTask(engine, id);
    await engine.retry(id);
    expect(await settledTask(engine, id)).toMatchObject({ state: "FAILED", result: { app: "created", notDone: [] } });
  });

  it("runs hooks before and after the app is created, in order, with their checkpoints", async () => {
    const { view, host } = await installed({
      hooks: [
        hookOf({
          id: "after",
          scriptContent: `export async function run(ctx) {
            await ctx.registerCheckpoints([{ id: "one", message: "First" }, { id: "two", message: "Second" }]);
            await ctx.emitCheckpoint("one", "First done");
            await ctx.skipCheckpoint("two");
          }`,
        }),
        hookOf({ id: "before", events: ["onBeforeInstall"] }),
      ],
    });
    expect(view.state).toBe("COMPLETED");
    expect(view.children.map(({ hookId, state }) => [hookId, state])).toEqual([
      ["before", "COMPLETED"],
      ["after", "COMPLETED"],
    ]);
    expect(hookTask(view, "after").checkpoints).toEqual([
      { id: "one", message: "First done", state: "COMPLETED" },
      { id: "two", message: "Second", state: "SKIPPED" },
    ]);
    expect(host.script.changes()).toHaveLength(1);
  });
});

describe("an install's directories", () => {
  const script = {
    requirements: { locations: ["ApplicationsPerformance", "Media"], specifications: [], permissions: [], ports: [] },
    ensure_directories_exists: [
      { path: "$LOCATION(ApplicationsPerformance)/demo", owner: { user: "www-data" } },
      { path: "$LOCATION(ApplicationsPerformance)/demo/a/b" },
      { path: "$LOCATION(Media)", network_share: true },
      { path: "$LOCATION(ApplicationsPerformance)/media", network_share: true },
    ],
  };
  const datasets = ["tank", "tank/apps", "tank/media"];

  it("with an owner become datasets where their parent is one, else directories; a share with a taken name gets a number", async () => {
    const { view, host } = await installed(script, { datasets });
    expect(view.result).toMatchObject({
      directories: ["/mnt/tank/apps/demo", "/mnt/tank/apps/demo/a", "/mnt/tank/apps/demo/a/b", "/mnt/tank/apps/media"],
      shares: ["media", "media-2"],
    });
    expect(host.script.world.datasets.has("tank/apps/demo")).toBe(true);
    expect(host.script.world.datasets.has("tank/apps/demo/a")).toBe(false);
    expect(host.script.world.paths.get("/mnt/tank/apps/demo")).toMatchObject({ uid: 33, gid: 33 });
  });

  it("that exist are kept as they are, and so are existing shares", async () => {
    const world = await openWorld({ catalog: { demo: script }, host: { datasets } });
    const { host, engine } = world;
    await host.makeDirectory("/mnt/tank/apps/demo");
    await host.createShare({ name: "Filme", path: "/mnt/tank/media" });
    const { id } = await engine.install("demo");
    const view = await settledTask(engine, id);
    expect(view.result).toMatchObject({
      directories: ["/mnt/tank/apps/demo/a", "/mnt/tank/apps/demo/a/b", "/mnt/tank/apps/media"],
      shares: ["media"],
    });
    expect(host.script.world.datasets.has("tank/apps/demo")).toBe(false);
  });

  it("that are shared start the service of the shares, but only where this task made a share", async () => {
    const world = await openWorld({
      catalog: { demo: script, again: script },

      host: { datasets },
    });
    const { host, engine } = world;
    host.script.world.sharesServed = false;
    const install = async (appId: string) => settledTask(engine, (await engine.install(appId)).id);
    expect((await install("demo")).marks).not.toContainEqual(expect.stringMatching(/^sharesNotServed/));
    expect(host.script.world.sharesServed).toBe(true);
    expect(host.script.changes().filter(({ method }) => method === "service.control")).toHaveLength(1);
    host.script.world.sharesServed = false;
    await install("again");
    expect(host.script.world.sharesServed).toBe(false);
  });

  it("that are shared are marked when the service of the shares can't be started, and the install goes on", async () => {
    const world = await openWorld({ catalog: { demo: script }, host: { datasets } });
    const { host, engine } = world;
    host.script.world.sharesServed = false;
    const fault = faultOf("HOST_CALL_FAILED", "[EFAULT] smbd does not start");
    for (let share = 0; share < 2; share++) host.script.endJob("service.control", { state: "FAILED", fault });
    const view = await settledTask(engine, (await engine.install("demo")).id);
    expect(view).toMatchObject({ state: "COMPLETED", result: { shares: ["media", "media-2"] } });
    expect(view.marks).toContain("sharesNotServed: [EFAULT] smbd does not start");
  });

  it("get their owners one after another, whatever installs run: the host has one lock for all", async () => {
    const owned = (id: string) => ({
      ...script,
      ensure_directories_exists: [
        { path: `$LOCATION(ApplicationsPerformance)/${id}`, owner: { user: "www-data" } },
        { path: `$LOCATION(Media)/${id}`, owner: { user: "www-data" } },
      ],
    });
    const ids = ["one", "two", "three"];
    const catalog = Object.fromEntries(ids.map((id) => [id, owned(id)]));
    const world = await openWorld({ catalog, host: { datasets } });
    const { host, engine } = world;
    const sent = () => host.script.changes().filter(({ method }) => method === "filesystem.setacl").length;
    const release = host.script.hold("filesystem.setacl");
    const tasks = await Promise.all(ids.map((id) => engine.install(id)));
    // Every install has asked for the ACLs of its first directory, so each wants to give it its owner.
    const asked = () => host.script.calls.filter(({ method }) => method === "pool.dataset.query").length;
    await expect.poll(asked).toBe(ids.length);
    for (let turns = 0; turns < 50; turns++) await host.stat("/mnt");
    expect(sent()).toBe(1);
    release();
    for (const { id } of tasks) expect(await settledTask(engine, id)).toMatchObject({ state: "COMPLETED" });
    expect(sent()).toBe(6);
  });

  it("get their owner although the host drops the job behind those of others", async () => {
    const world = await openWorld({ catalog: { demo: script }, host: { datasets } });
    const { host, engine } = world;
    const dropped = faultOf("HOST_JOB_DROPPED", "too many jobs wait before it", { retryable: true });
    for (let times = 0; times < 3; times++) host.script.refuse("filesystem.setacl", dropped, "no");
    const view = await settledTask(engine, (await engine.install("demo")).id);
    expect(view).toMatchObject({ state: "COMPLETED" });
    expect(host.script.world.paths.get("/mnt/tank/apps/demo")).toMatchObject({ uid: 33 });
  });

  it("are made once although every answer is lost", async () => {
    const world = await openWorld({ catalog: { demo: script }, host: { datasets } });
    const { host, engine } = world;
    for (const method of ["pool.dataset.create", "filesystem.mkdir", "sharing.smb.create"] as const) {
      host.script.loseAnswer(method, true);
    }
    const { id } = await engine.install("demo");
    const view = await settledTask(engine, id);
    expect(view.state).toBe("COMPLETED");
    expect(view.result).toMatchObject({ shares: ["media", "media-2"] });
    const counts = Map.groupBy(host.script.changes(), ({ method }) => method);
    expect([...counts].map(([method, calls]) => [method, calls.length])).toEqual([
      ["pool.dataset.create", 1],
      ["filesystem.setacl", 1],
      ["filesystem.mkdir", 3],
      ["sharing.smb.create", 2],
      ["app.create", 1],
    ]);
  });

  it("fail the install with the host's reason, and a retry goes on with what is missing", async () => {
    const world = await openWorld({ catalog: { demo: script }, host: { datasets } });
    const { host, engine } = world;
    host.script.refuse("filesystem.mkdir", faultOf("HOST_PERMISSION", "[EPERM] not permitted", { errname: "EPERM" }));
    const { id } = await engine.install("demo");
    const failed = await settledTask(engine, id);
    expect(failed).toMatchObject({ state: "FAILED", failure: { code: "HOST_PERMISSION" } });
    await engine.retry(id);
    const view = await settledTask(engine, id);
    expect(view.state).toBe("COMPLETED");
    expect(view.failure).toBeUndefined();
  });
});

describe("app.create", () => {
  it("that fails makes the install FAILED with the host's reason; a retry is a new attempt of the same task", async () => {
    const world = await openWorld({ catalog: { demo: {} } });
    const { host, engine } = world;
    host.script.endJob("app.create", { state: "FAILED", fault: faultOf("HOST_CALL_FAILED", "[EFAULT] no space") });
    const { id } = await engine.install("demo");
    const failed = await settledTask(engine, id);
    expect(failed).toMatchObject({
      state: "FAILED",
      failure: { message: "[EFAULT] no space" },
      result: { app: "notCreated", directories: [], shares: [], done: [], notDone: ["app.create"] },
    });
    await engine.retry(id);
    expect(await settledTask(engine, id)).toMatchObject({ id, state: "COMPLETED", progress: 100 });
    const requests = host.script.changes().map(({ requestId }) => requestId);
    expect(new Set(requests).size).toBe(2);
  });

  it.each([
    ["was accepted", true, 1],
    ["was not accepted", false, 2],
  ])("whose answer is lost and which %s is sent as often as needed", async (_, acted, sent) => {
    const world = await openWorld({ catalog: { demo: {} } });
    const { host, engine } = world;
    host.script.loseAnswer("app.create", acted);
    const { id } = await engine.install("demo");
    expect((await settledTask(engine, id)).state).toBe("COMPLETED");
    expect(host.script.changes()).toHaveLength(sent);
  });

  it("is found again after a restart in the middle of its job", async () => {
    const world = await openWorld({ catalog: { demo: {} } });
    const { host, engine } = world;
    const release = host.script.hold("app.create");
    const { id } = await engine.install("demo");
    await until(engine, () => engine.task(id)?.waitingFor?.kind === "host" && host.script.changes().length === 1);
    const again = await world.restart();
    release();
    expect((await settledTask(again.engine, id)).state).toBe("COMPLETED");
    expect(host.script.changes()).toHaveLength(1);
  });

  it("whose job the host forgot is judged by the app's state", async () => {
    const world = await openWorld({ catalog: { demo: {} } });
    const { host, engine } = world;
    host.script.hold("app.create");
    const { id } = await engine.install("demo");
    await until(engine, () => host.script.changes().length === 1);
    host.script.restart(true);
    expect((await settledTask(engine, id)).state).toBe("COMPLETED");
    expect(host.script.changes()).toHaveLength(1);
  });
});

describe("an app that does not come up", () => {
  it("that crashed lets the install go on at once, with a mark", async () => {
    const world = await openWorld({ catalog: { demo: {} }, host: { deployingFor: 1e9 } });
    const { engine, host } = world;
    const { id } = await engine.install("demo");
    await until(engine, () => engine.task(id)?.waitingFor?.kind === "app");
    host.script.setAppState("demo", "CRASHED");
    expect(await settledTask(engine, id)).toMatchObject({ state: "COMPLETED", marks: ["notRunning: CRASHED"] });
  });

  it("that is late lets the install go on after the deadline, with the state it was in", async () => {
    const world = await openWorld({
      catalog: { demo: {} },
      engine: { timing: { runningDeadline: 60 } },
      host: { deployingFor: 1e9 },
    });
    const { engine } = world;
    const { id } = await engine.install("demo");
    expect(await settledTask(engine, id)).toMatchObject({ state: "COMPLETED", marks: ["notRunning: DEPLOYING"] });
  });
});

describe("a request that can't be carried out", () => {
  it.each([
    ["an unknown app", "nothing", {}, {}, "TASK_APP_UNKNOWN"],
    ["a required answer that is missing", "demo", {}, {}, "ANSWER_REQUIRED"],
    ["an answer to no question", "demo", { answers: { name: "x", no: 1 } }, {}, "ANSWER_UNKNOWN"],
    ["a consent nobody asks for", "demo", { answers: { name: "x" }, consents: { no: true } }, {}, "ANSWER_CONSENT"],
    ["an input of an unknown hook", "demo", { answers: { name: "x" }, inputs: { no: {} } }, {}, "TASK_HOOK_UNKNOWN"],
    [
      "a location that is not configured",
      "demo",
      { answers: { name: "x" } },
      { facts: { locations: {} } },
      "REQUIREMENT_LOCATION_MISSING",
    ],
  ])("is rejected for %s and leaves nothing", async (_, appId, request, host, code) => {
    const world = await openWorld({
      catalog: {
        demo: {
          requirements: { locations: ["Media"], specifications: [], permissions: [], ports: [] },
          installation_questions: [{ question: "Name?", type: "text", key: "name", required: true }],
        },
      },

      host,
    });
    await expect(world.engine.install(appId, request)).rejects.toMatchObject({ name: "EngineError", code });
    expect(world.engine.tasks()).toEqual([]);
    expect(world.host.script.changes()).toEqual([]);
  });

  it("is rejected when the name is taken on the host", async () => {
    const { engine } = await installed({});
    await expect(engine.install("demo")).rejects.toMatchObject({ code: "HOST_NAME_TAKEN" });
    expect(engine.tasks()).toHaveLength(1);
  });

  it("is answered with the running task while another lifecycle works on the app: one writer per app", async () => {
    const world = await openWorld({ catalog: { demo: {} } });
    const { host, engine } = world;
    const release = host.script.hold("app.create");
    const { id } = await engine.install("demo");
    await expect(engine.install("demo")).rejects.toMatchObject({ code: "TASK_CONFLICT", details: { taskId: id } });
    await expect(engine.upgrade("demo")).rejects.toMatchObject({ code: "TASK_CONFLICT", details: { taskId: id } });
    release();
    await settledTask(engine, id);
  });
});

describe("a generated secret", () => {
  it("reaches the host and nothing else", async () => {
    const { host, store, id, view, log } = await installed({
      app_values: { demo: { password: "$RANDOM_STRING(24)", token: "$QUESTION(token)" } },
      installation_questions: [{ question: "Token?", type: "password", key: "token", default: "$RANDOM_STRING(20)" }],
    });
    const values = host.script.world.instances.get("demo")?.values["demo"];
    const texts = Object.values(Object(values)).map(String);
    expect(texts.map(({ length }) => length)).toEqual([24, 20]);
    const seen = JSON.stringify([view, store.logAfter(0, 1000), store.taskLog(id), log]);
    for (const secret of texts) expect(seen).not.toContain(secret);
  });
});

describe("a host that can't be asked", () => {
  it("is shown as a wait for the network, and the install goes on when it answers again", async () => {
    const world = await openWorld({ catalog: { demo: {} }, host: { deployingFor: 1e9 } });
    const { engine, host } = world;
    const { id } = await engine.install("demo");
    await until(engine, () => engine.task(id)?.waitingFor?.kind === "app");
    host.script.setAppsService("INITIALIZING");
    await until(engine, () => engine.task(id)?.waitingFor?.kind === "network");
    host.script.setAppsService("RUNNING");
    await until(engine, () => engine.task(id)?.waitingFor?.kind === "app");
    host.script.setAppState("demo", "RUNNING");
    expect(await settledTask(engine, id)).toMatchObject({ state: "COMPLETED", marks: [] });
  });
});
