import { describe, expect } from "vitest";
import { machines } from "../../../machines/index.ts";
import type { TaskView } from "../../../src/engine/api.ts";
import { foldEvents } from "../../../src/engine/replay/fold-events.ts";
import type { RegisteredMachine } from "../../../src/engine/runtime/effect.ts";
import { it, openWorld } from "../../support/engine/engine-test.ts";
import { type EngineWorld, hookTask, settledTask, until } from "../../support/engine/engine-world.ts";
import { addDirectory, faultOf } from "../../support/engine/scripted-world.ts";

const hook = (id: string, event: string, scriptContent: string) => ({
  id,
  title: id,
  events: [event],
  entrypoint: "run",
  scriptContent,
});
const FAILS = `export async function run(ctx) { ctx.fail("no"); }`;
const SLEEPS = `export async function run(ctx) { await ctx.registerCheckpoints([{ id: "a", message: "A" }]); await ctx.sleep(60000); }`;

async function create(hooks: readonly unknown[], more: Record<string, unknown> = {}, versions = ["1.0.0", "2.0.0"]) {
  return openWorld({
    catalog: {
      demo: {
        requirements: { locations: ["Media"], specifications: [], permissions: [], ports: [] },
        ensure_directories_exists: [{ path: "$LOCATION(Media)/demo" }],
        hooks,
        ...more,
      },
    },
    host: {
      datasets: ["tank", "tank/media"],
      catalog: { demo: { train: "stable", title: "Demo", icon: "", versions } },
    },
  });
}

type Scripted = Pick<EngineWorld, "engine" | "host">;

/** Cancels what was started while the host is at this job, which is let go then; the task as it rests. */
async function cancelDuring(
  { engine, host }: Scripted,
  job: "app.start" | "filesystem.setacl",
  start: () => Promise<TaskView>,
): Promise<TaskView> {
  const release = host.script.hold(job);
  const { id } = await start();
  await expect.poll(() => host.script.changes().map(({ method }) => method)).toContain(job);
  await engine.cancel(id);
  release();
  return settledTask(engine, id);
}

/** An install whose app the host creates stopped and then fails to start, as it rests. */
async function installWithoutStart({
  engine,
  host,
}: Scripted): Promise<{ readonly id: string; readonly view: TaskView }> {
  const release = host.script.hold("app.create");
  host.script.endJob("app.start", { state: "FAILED", fault: faultOf("HOST_CALL_FAILED", "[EFAULT] no") });
  const { id } = await engine.install("demo");
  await expect.poll(() => host.script.changes().map(({ method }) => method)).toContain("app.create");
  host.script.restart(true);
  host.script.setAppState("demo", "STOPPED");
  release();
  return { id, view: await settledTask(engine, id) };
}

describe("cancelling an install", () => {
  it("before the app is created leaves only the directories, and says so", async () => {
    const { engine, host } = await create([
      hook("before", "onBeforeInstall", FAILS),
      hook("after", "onAfterInstall", FAILS),
    ]);
    const { id } = await engine.install("demo");
    await settledTask(engine, id);
    await engine.cancel(id);
    const view = await settledTask(engine, id);
    expect(view).toMatchObject({
      state: "CANCELLED",
      result: {
        app: "notCreated",
        directories: ["/mnt/tank/media/demo"],
        done: [],
        notDone: ["app.create", "before", "after"],
      },
    });
    expect(view.children.map(({ state }) => state)).toEqual(["CANCELLED", "CANCELLED"]);
    expect(host.script.changes().map(({ method }) => method)).toEqual(["filesystem.mkdir"]);
  });

  it("after app.create was sent waits for its end and keeps the app, and says so", async () => {
    const { engine, host } = await create([hook("after", "onAfterInstall", FAILS)]);
    const release = host.script.hold("app.create");
    const { id } = await engine.install("demo");
    await until(engine, () => host.script.changes().some(({ method }) => method === "app.create"));
    await engine.cancel(id);
    expect(engine.task(id)).toMatchObject({ state: "RUNNING", waitingFor: { kind: "host" } });
    release();
    const view = await settledTask(engine, id);
    expect(view).toMatchObject({
      state: "CANCELLED",
      result: { app: "created", done: ["app.create"], notDone: ["after"] },
    });
    expect(host.script.world.instances.has("demo")).toBe(true);
  });

  it("a second time does not wait for the host any more", async () => {
    const { engine, host } = await create([]);
    host.script.hold("app.create");
    const { id } = await engine.install("demo");
    await until(engine, () => host.script.changes().some(({ method }) => method === "app.create"));
    await engine.cancel(id);
    await engine.cancel(id);
    expect(engine.task(id)).toMatchObject({ state: "CANCELLED", result: { app: "unknown" } });
  });

  it("keeps the marks of what was under way", async () => {
    const directory = { path: "$LOCATION(Media)/a/demo", owner: { user: "apps" } };
    const world = await create([], { ensure_directories_exists: [directory] });
    const { engine, host } = world;
    // No dataset can be made below a plain directory: what is made there is a directory too, with the location's POSIX ACL.
    addDirectory(host.script.world, "/mnt/tank/media/a");
    const view = await cancelDuring(world, "filesystem.setacl", () => engine.install("demo"));
    expect(view).toMatchObject({
      state: "CANCELLED",
      marks: ["posixAcl: /mnt/tank/media/a/demo"],
      result: { directories: ["/mnt/tank/media/a/demo"] },
    });
  });

  it.each(["update", "upgrade"] as const)(
    "a second time keeps what is known: the %s is done when only an owner is repaired",
    async (lifecycle) => {
      const directory = { path: "$LOCATION(Media)/demo", owner: { user: "apps" } };
      const { engine, host } = await create([], { ensure_directories_exists: [directory] }, ["1.0.0"]);
      await settledTask(engine, (await engine.install("demo")).id);
      const { paths, catalog } = host.script.world;
      catalog.set("demo", { train: "stable", title: "Demo", icon: "", versions: ["1.0.0", "2.0.0"] });
      const path = "/mnt/tank/media/demo";
      paths.set(path, { type: "DIRECTORY", uid: 0, gid: 0 });
      host.script.hold("filesystem.setacl");
      const repairs = () => host.script.changes().filter(({ method }) => method === "filesystem.setacl").length;
      const before = repairs();
      const { id } = await engine[lifecycle]("demo");
      await expect.poll(repairs).toBeGreaterThan(before);
      await engine.cancel(id);
      await engine.cancel(id);
      expect(engine.task(id)).toMatchObject({
        state: "CANCELLED",
        result: { done: [`app.${lifecycle}`], notDone: [] },
      });
    },
  );

  it("of an upgrade that had to start its app says that it runs now", async () => {
    const world = await create([], {}, ["1.0.0"]);
    const { engine, host } = world;
    await settledTask(engine, (await engine.install("demo")).id);
    host.script.world.catalog.set("demo", { train: "stable", title: "Demo", icon: "", versions: ["1.0.0", "2.0.0"] });
    host.script.setAppState("demo", "STOPPED");
    const view = await cancelDuring(world, "app.start", () => engine.upgrade("demo"));
    expect(view).toMatchObject({
      state: "CANCELLED",
      marks: ["started"],
      result: { app: "notUpgraded", notDone: ["app.upgrade"] },
    });
  });

  it("stops the script that runs", async () => {
    const { engine } = await create([hook("after", "onAfterInstall", SLEEPS)]);
    const { id } = await engine.install("demo");
    await until(engine, () => engine.task(id)?.children[0]?.checkpoints.length === 1);
    await engine.cancel(id);
    const view = await settledTask(engine, id);
    expect(view).toMatchObject({ state: "CANCELLED", result: { app: "created" } });
    expect(hookTask(view, "after").state).toBe("CANCELLED");
  });

  it("of one hook frees the install", async () => {
    const { engine } = await create([hook("after", "onAfterInstall", SLEEPS)]);
    const { id } = await engine.install("demo");
    await until(engine, () => engine.task(id)?.children[0]?.checkpoints.length === 1);
    await engine.cancel(engine.task(id)?.children[0]?.id ?? "");
    const view = await settledTask(engine, id);
    expect(view.state).toBe("COMPLETED");
    expect(hookTask(view, "after").state).toBe("CANCELLED");
  });
});

describe("a failed install", () => {
  it.each(["dismiss", "cancel"] as const)("is put away as DISMISSED by dismiss and by cancel: %s", async (decision) => {
    const { engine, host } = await create([hook("after", "onAfterInstall", FAILS)]);
    host.script.endJob("app.create", { state: "FAILED", fault: faultOf("HOST_CALL_FAILED", "[EFAULT] no") });
    const { id } = await engine.install("demo");
    expect((await settledTask(engine, id)).state).toBe("FAILED");
    await engine[decision](id);
    const view = await settledTask(engine, id);
    expect(view).toMatchObject({ state: "DISMISSED", result: { app: "notCreated" } });
    expect(view.children.map(({ state }) => state)).toEqual(["CANCELLED"]);
  });

  it("says that the app is there where it was created and could not be started; a retry starts it", async () => {
    const { engine, host } = await create([]);
    const { id, view } = await installWithoutStart({ engine, host });
    expect(view).toMatchObject({
      state: "FAILED",
      result: { app: "created", done: ["app.create"], notDone: [] },
    });
    await engine.retry(id);
    expect(await settledTask(engine, id)).toMatchObject({ state: "COMPLETED" });
  });

  it("keeps the answers of an app that was created and could not be started, also where it is dismissed", async () => {
    const { engine, host, store } = await create([]);
    const { id, view } = await installWithoutStart({ engine, host });
    expect(view.state).toBe("FAILED");
    await engine.dismiss(id);
    expect(store.setting("demo", "scriptVersion")).toBe("1.0.0");
    expect(store.setting("demo", "answers")).toEqual({});
  });

  it("frees the app for another install", async () => {
    const { engine, host } = await create([]);
    host.script.endJob("app.create", { state: "FAILED", fault: faultOf("HOST_CALL_FAILED", "[EFAULT] no") });
    const { id } = await engine.install("demo");
    await settledTask(engine, id);
    const second = await engine.install("demo");
    expect((await settledTask(engine, second.id)).state).toBe("COMPLETED");
    await expect(engine.dismiss(id)).resolves.toMatchObject({ state: "DISMISSED" });
  });
});

describe("an install whose database was rolled back while app.create was with the host", () => {
  const registered: RegisteredMachine = machines.install;
  const input = { appId: "demo", title: "Demo", waitsForTurn: false, children: [], marks: [], runningDeadlineMs: 1 };
  const creating = [
    { type: "xstate.init", input },
    { type: "host.done", directories: [], shares: [], marks: [] },
  ];
  const failure = { code: "X", message: "no", context: [], retryable: true };
  const unknown = { type: "engine.failed", failure, done: "unknown" };
  const refused = { type: "host.failed", failure, done: false };

  it.each([
    ["says that nobody knows", [unknown], "unknown"],
    ["knows again once a retry was refused", [unknown, { type: "user.retry" }, refused], "notCreated"],
  ])("%s", (_, then, app) => {
    const last = [...foldEvents(registered, [...creating, ...then])].at(-1);
    const facts = last && registered.view(last.persisted);
    expect(facts).toMatchObject({ state: "FAILED", result: { app } });
  });
});

describe("a decision a task does not take", () => {
  it.each(["retry", "skip", "dismiss", "cancel"] as const)(
    "is refused: %s of a completed install",
    async (decision) => {
      const { engine } = await create([]);
      const { id } = await engine.install("demo");
      await settledTask(engine, id);
      await expect(engine[decision](id)).rejects.toMatchObject({ code: "TASK_REFUSED" });
      expect(engine.task(id)?.state).toBe("COMPLETED");
    },
  );

  it("is refused for a task nobody knows", async () => {
    const { engine } = await create([]);
    await expect(engine.retry("none")).rejects.toMatchObject({ code: "TASK_UNKNOWN" });
    await expect(engine.input("none", {})).rejects.toMatchObject({ code: "TASK_UNKNOWN" });
  });
});
