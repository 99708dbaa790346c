/** What holds for every task (docs/decisions.md, section 3). */
import { describe, expect } from "vitest";
import { DEFAULT_TIMING } from "../../src/engine/runtime/timing.ts";
import { Task } from "../../src/http/schemas/tasks.ts";
import { it, openWorld } from "../support/engine/engine-test.ts";
import {
  type EngineWorld,
  type EngineWorldOptions,
  hookTask,
  settledTask,
  until,
} from "../support/engine/engine-world.ts";
import { addFile } from "../support/engine/scripted-world.ts";
import { freePort } from "../support/host/loopback-server.ts";

const FAILS = `export async function run(ctx) { ctx.fail("no"); }`;
const hook = (changes: Record<string, unknown> = {}) => ({
  id: "setup",
  title: "Set up",
  events: ["onAfterInstall"],
  entrypoint: "run",
  scriptContent: "export async function run(ctx) {}",
  ...changes,
});
const body = (text: string) => `export async function run(ctx) { ${text} }`;

async function open(script: Record<string, unknown>, engine: EngineWorldOptions["engine"] = {}): Promise<EngineWorld> {
  return openWorld({ catalog: { demo: script }, engine });
}

/** An install as it rests. */
async function installed(script: Record<string, unknown>, engine: EngineWorldOptions["engine"] = {}) {
  const opened = await open(script, engine);
  const { id } = await opened.engine.install("demo");
  return { ...opened, id, view: await settledTask(opened.engine, id) };
}

/** Every change of the hook's task, oldest first. */
function changesOf({ store }: EngineWorld, taskId: string) {
  return store.logAfter(0, 1_000).flatMap(({ task }) => (task.id === taskId ? [task] : []));
}

describe("a task", () => {
  it("has its state in upper case, stored and served", async () => {
    expect(Task.shape.state.options).toEqual([
      "PENDING",
      "RUNNING",
      "AWAITING_INPUT",
      "AWAITING_RETRY",
      "COMPLETED",
      "SKIPPED",
      "FAILED",
      "DISMISSED",
      "CANCELLED",
    ]);
    const { store, view } = await installed({ hooks: [hook({ scriptContent: FAILS })] });
    const { id, state } = hookTask(view, "setup");
    expect([state, store.task(id)?.facts.state]).toEqual(["AWAITING_RETRY", "AWAITING_RETRY"]);
  });

  it("keeps its plan: a sync changes later tasks only", async () => {
    const before = hook({ events: ["onBeforeInstall"], scriptContent: body(`ctx.log("old"); ctx.fail("no");`) });
    const { engine, store, host, write, id, view } = await installed({ hooks: [before], app_values: { v: "old" } });
    const task = hookTask(view, "setup").id;
    write({ demo: { hooks: [{ ...before, scriptContent: body(`ctx.log("new");`) }], app_values: { v: "new" } } });
    expect((await engine.syncCatalog()).changed).toEqual(["demo"]);
    await engine.retry(task);
    await settledTask(engine, id);
    expect(store.hookLog(task, 10).map(({ line }) => line)).toEqual(["old", "old"]);
    await engine.skip(task);
    await settledTask(engine, id);
    expect(host.script.world.instances.get("demo")?.values).toEqual({ v: "old" });
    const update = await engine.update("demo");
    await settledTask(engine, update.id);
    expect(host.script.world.instances.get("demo")?.values).toEqual({ v: "new" });
  });
});

describe("checkpoints", () => {
  it("that nobody registered are registered by their first report; an ended one stays ended, which is logged", async () => {
    const scriptContent = body(`await ctx.emitCheckpoint("late", "Late one"); await ctx.skipCheckpoint("late", "no");`);
    const { view, log } = await installed({ hooks: [hook({ scriptContent })] });
    expect(hookTask(view, "setup").checkpoints).toMatchObject([
      { id: "late", message: "Late one", state: "COMPLETED" },
    ]);
    expect(log.filter((line) => line.includes("script.skipped"))).toHaveLength(1);
  });

  it("make the progress, completed of all, unless the script gives 0 to 99; 100 comes at the end", async () => {
    const scriptContent = body(`
      await ctx.registerCheckpoints(["a", "b", "c", "d"].map((id) => ({ id, message: id })));
      await ctx.emitCheckpoint("a");
      await ctx.setProgress(60);
      await ctx.setProgress(150);`);
    const opened = await installed({ hooks: [hook({ scriptContent })] });
    const shown = changesOf(opened, hookTask(opened.view, "setup").id).map(({ progress }) => progress);
    expect([...new Set(shown)]).toEqual([0, 25, 60, 99, 100]);
  });
});

describe("the time of a hook", () => {
  it("bounds waitForApp", async () => {
    const port = await freePort();
    const scriptContent = body(
      `await ctx.waitForApp("http://127.0.0.1:${port}/", { retries: 100, initialDelayMs: 100, maxDelayMs: 100 });`,
    );
    const press = hook({ events: ["userAction"], rerun: "idempotent", scriptContent, timeout: 1 });
    const { engine, host } = await installed({ hooks: [press] });
    host.script.setApp("demo", { publishedPorts: [port] });
    const { id } = await engine.runAction("demo", "setup");
    const failed = { state: "AWAITING_RETRY", failure: { code: "TASK_HOOK_TIMEOUT" } };
    expect(await settledTask(engine, id)).toMatchObject(failed);
  });

  it("for its inputs is 24 hours, shown, and can be configured", async () => {
    const inputs = [
      { type: "question", id: "q", question: { question: "Which?", type: "text", key: "q", required: true } },
    ];
    const inputDeadline = 7 * 60_000;
    const { view } = await installed({ hooks: [hook({ inputs })] }, { timing: { inputDeadline } });
    const { since = "", deadline = "" } = hookTask(view, "setup").waitingFor ?? {};
    expect(Math.abs(Date.parse(deadline) - Date.parse(since) - inputDeadline)).toBeLessThan(1_000);
    expect(DEFAULT_TIMING.inputDeadline).toBe(24 * 3_600_000);
  });
});

describe("a hook that ran when the engine stopped", () => {
  it.each(["refuse", "idempotent"])("goes on where it was where its rerun is %s", async (rerun) => {
    const scriptContent = body(`ctx.log("begins"); await ctx.emitCheckpoint("a", "A"); await ctx.sleep(60000);`);
    const press = hook({ events: ["userAction"], rerun, scriptContent });
    const { engine, restart } = await installed({ hooks: [press] });
    const { id } = await engine.runAction("demo", "setup");
    const done = { id: "a", message: "A", state: "COMPLETED" };
    await until(engine, () => engine.task(id)?.checkpoints[0]?.state === "COMPLETED");
    const { engine: again, store } = await restart();
    const lines = () => store.hookLog(id, 10).map(({ line }) => line);
    await expect.poll(lines).toEqual(["begins", "[slipway] went on after a restart"]);
    expect(again.task(id)).toMatchObject({ state: "RUNNING", checkpoints: [done] });
  });
});

describe("one unfinished run", () => {
  it("per app, hook and target: a second press is answered with its task", async () => {
    const target = { type: "files", accepts: [".mkv"], requiresTargetMount: false };
    const { engine, host } = await installed({
      hooks: [hook({ events: ["userAction"], rerun: "converge", target, scriptContent: FAILS })],
    });
    for (const name of ["a", "b"]) addFile(host.script.world, `/mnt/tank/apps/${name}.mkv`);
    const { id } = await engine.runAction("demo", "setup", {
      files: ["/mnt/tank/apps/b.mkv", "/mnt/tank/apps/a.mkv"],
    });
    await settledTask(engine, id);
    const conflict = { code: "TASK_CONFLICT", details: { taskId: id } };
    const again = engine.runAction("demo", "setup", {
      files: ["/mnt/tank/apps/a.mkv", "/mnt/tank/apps/b.mkv"],
    });
    await expect(again).rejects.toMatchObject(conflict);
    const other = await engine.runAction("demo", "setup", { files: ["/mnt/tank/apps/a.mkv"] });
    expect(other.id).not.toBe(id);
  });
});

describe("what a hook is called", () => {
  /** The labels of a hook's task while it ran and at its end. */
  async function labels(script: Record<string, unknown>, hookId: string) {
    const opened = await installed(script);
    const task = hookTask(opened.view, hookId);
    const running = changesOf(opened, task.id).find(({ state }) => state === "RUNNING");
    return [running?.label, task.label];
  }

  it("in version 6 is its description while it runs, else its title", async () => {
    expect(await labels({ hooks: [hook({ description: "Setting up" })] }, "setup")).toEqual(["Setting up", "Set up"]);
  });

  it("in version 5 is its description, else its id", async () => {
    const five = (changes: Record<string, unknown>) => ({
      version: 5,
      hooks: [
        { id: "five", event: "onAfterInstall", scriptContent: body(""), entrypoint: "run", timeout: 60, ...changes },
      ],
    });
    expect(await labels(five({ description: "Migrating" }), "five")).toEqual(["Migrating", "Migrating"]);
    expect(await labels(five({}), "five")).toEqual(["five", "five"]);
  });
});

describe("log lines of a script", () => {
  it("are kept for developers, and are in no task view", async () => {
    const { store, engine, view } = await installed({
      hooks: [hook({ scriptContent: body(`ctx.log("for developers");`) })],
    });
    expect(store.hookLog(hookTask(view, "setup").id, 10).map(({ line }) => line)).toEqual(["for developers"]);
    const shown = JSON.stringify([engine.tasks(), view, store.logAfter(0, 1_000)]);
    expect(shown).not.toContain("for developers");
  });
});
