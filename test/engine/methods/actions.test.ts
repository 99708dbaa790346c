import { describe, expect } from "vitest";
import { createSandbox } from "../../../sandbox/sandbox.ts";
import { createScriptIo } from "../../../src/adapters/script-io/script-io.ts";
import { it, openWorld } from "../../support/engine/engine-test.ts";
import { type EngineWorld, settledTask, until } from "../../support/engine/engine-world.ts";
import { createTestClock } from "../../support/test-clock.ts";

const hook = (changes: Record<string, unknown> = {}) => ({
  id: "press",
  title: "Press",
  rerun: "converge",
  entrypoint: "run",
  scriptContent: `export async function run(ctx) { ctx.log(ctx.event); }`,
  ...changes,
});

async function installed(...hooks: readonly unknown[]) {
  const world = await openWorld({ catalog: { demo: { hooks }, other: {} } });
  const { id } = await world.engine.install("demo");
  await settledTask(world.engine, id);
  return world;
}

describe("a pressed hook", () => {
  it("that waits for its place in the sandbox uses up no running time, however long it waits", async () => {
    const clock = createTestClock();
    const narrow = createSandbox({
      allowWeakSandbox: true,
      scriptIo: createScriptIo({ loopback: true }),
      concurrency: { hook: 1, widget: 1 },
    });
    const hold = hook({
      id: "hold",
      timeout: 6 * 3600,
      scriptContent: `export async function run(ctx) { await ctx.registerCheckpoints(["held"]); await new Promise(() => {}); }`,
    });
    const world = await openWorld({
      catalog: { demo: { hooks: [hold, hook({ timeout: 600 })] } },
      engine: { sandbox: narrow, clock },
    });
    const { engine, store } = world;
    await settledTask(engine, (await engine.install("demo")).id);
    const holding = await engine.runAction("demo", "hold");
    await until(engine, () => engine.task(holding.id)?.checkpoints.length === 1);
    const pressed = await engine.runAction("demo", "press");
    await until(engine, () => store.task(pressed.id)?.snapshot?.includes("EXECUTING") === true);
    clock.advance(3_600_000);
    expect(engine.task(pressed.id)).toMatchObject({ state: "RUNNING" });
    await engine.cancel(holding.id);
    expect((await settledTask(engine, pressed.id)).state).toBe("COMPLETED");
    await narrow.close();
  });

  it("uses up no running time while it waits for its place again after a restart", async () => {
    const clock = createTestClock();
    const narrow = createSandbox({
      allowWeakSandbox: true,
      scriptIo: createScriptIo({ loopback: true }),
      concurrency: { hook: 1, widget: 1 },
    });
    const hold = (timeout: number) =>
      hook({
        timeout,
        scriptContent: `export async function run(ctx) { await ctx.emitCheckpoint("held"); await new Promise(() => {}); }`,
      });
    // another engine takes the only place, so that the restarted hook can only wait
    const other = await openWorld({ catalog: { demo: { hooks: [hold(3600)] } }, engine: { sandbox: narrow } });
    await settledTask(other.engine, (await other.engine.install("demo")).id);
    const world = await openWorld({
      catalog: { demo: { hooks: [hold(600)] } },
      engine: { clock },
    });
    const held = ({ engine }: EngineWorld, id: string) => engine.task(id)?.checkpoints[0]?.state === "COMPLETED";
    await settledTask(world.engine, (await world.engine.install("demo")).id);
    const pressed = await world.engine.runAction("demo", "press");
    await until(world.engine, () => held(world, pressed.id));
    const holding = await other.engine.runAction("demo", "press");
    await until(other.engine, () => held(other, holding.id));
    const { engine, store } = await world.restart({ sandbox: narrow });
    await until(engine, () => store.task(pressed.id)?.snapshot?.includes("QUEUED") === true);
    clock.advance(3_600_000);
    expect(engine.task(pressed.id)).toMatchObject({ state: "RUNNING" });
    await narrow.close();
  });

  it("runs as a task of its own", async () => {
    const { engine, store } = await installed(hook());
    const { id } = await engine.runAction("demo", "press");
    const view = await settledTask(engine, id);
    expect(view).toMatchObject({ kind: "hook", state: "COMPLETED", hookId: "press", label: "Press", children: [] });
    expect(store.hookLog(id, 1)[0]?.line).toBe("userAction");
  });

  it("that fails waits for a person: optional skips lifecycle firings only", async () => {
    const { engine } = await installed(
      hook({
        events: ["userAction", "onAfterInstall"],
        optional: true,
        scriptContent: `export async function run(ctx) { if (ctx.event === "userAction") ctx.fail("no"); }`,
      }),
    );
    const { id } = await engine.runAction("demo", "press");
    expect((await settledTask(engine, id)).state).toBe("AWAITING_RETRY");
    await engine.cancel(id);
    expect(engine.task(id)?.state).toBe("CANCELLED");
  });

  it("is answered with the running task while it runs", async () => {
    const { engine } = await installed(hook({ scriptContent: `export async function run(ctx) { ctx.fail("no"); }` }));
    const { id } = await engine.runAction("demo", "press");
    await expect(engine.runAction("demo", "press")).rejects.toMatchObject({
      code: "TASK_CONFLICT",
      details: { taskId: id },
    });
  });

  it("refuses to run twice when it says so, unless the earlier run did not complete", async () => {
    const { engine } = await installed(hook({ rerun: "refuse" }));
    const { id } = await engine.runAction("demo", "press");
    await settledTask(engine, id);
    await expect(engine.runAction("demo", "press")).rejects.toMatchObject({ code: "ACTION_UNAVAILABLE" });
    const files = ["/mnt/tank/any-file"];
    // It has no target: a selection makes no other run of it.
    await expect(engine.runAction("demo", "press", { files })).rejects.toMatchObject({ code: "ACTION_UNAVAILABLE" });
    expect(await engine.actions("demo", "card", files)).toMatchObject([{ hookId: "press", state: "disabled" }]);
  });

  it.each([
    ["is unknown", "none", {}, "ACTION_UNKNOWN"],
    ["is no action", "lifecycle", {}, "ACTION_UNKNOWN"],
    ["is not on that surface", "press", { surface: "fileBrowser" as const }, "ACTION_UNKNOWN"],
    ["needs another app", "needs", {}, "ACTION_UNAVAILABLE"],
  ])("is rejected when it %s", async (_, id, request, code) => {
    const { engine } = await installed(
      hook(),
      { ...hook({ id: "lifecycle", events: ["onAfterInstall"] }), rerun: undefined },
      hook({ id: "needs", conditions: [{ role: "availability", type: "appInstalled", app: "other" }] }),
    );
    await expect(engine.runAction("demo", id, request)).rejects.toMatchObject({ code });
  });
});
