import { describe, expect } from "vitest";
import { it } from "../../support/engine/engine-test.ts";
import { type EngineWorld, settledTask, until } from "../../support/engine/engine-world.ts";
import { faultOf } from "../../support/engine/scripted-world.ts";
import { link, openDemo, SELECTED } from "./linking-demo.ts";

describe("a link that failed", () => {
  const FAILS = `export async function run(ctx) { ctx.fail("no"); }`;
  const SLEEPS = `export async function run(ctx) { await ctx.sleep(60000); }`;

  it("is not retried beside the next one, and can be once the plan has ended", async () => {
    const first = link({ scriptContent: FAILS });
    const { engine } = await openDemo([first, link({ id: "second", scriptContent: SLEEPS })]);
    await settledTask(engine, (await engine.install("other")).id);
    const { id } = await engine.install("demo", { links: [SELECTED, { ...SELECTED, hookId: "second" }] });
    const child = (at: number) => engine.task(id)?.children[at];
    await until(engine, () => child(0)?.state === "FAILED" && child(1)?.state === "RUNNING");
    const failed = child(0)?.id ?? "";
    await expect(engine.retry(failed)).rejects.toMatchObject({ code: "TASK_CONFLICT", details: { taskId: id } });
    await engine.cancel(id);
    expect((await settledTask(engine, id)).children.map(({ state }) => state)).toEqual(["FAILED", "CANCELLED"]);
    expect(await engine.retry(failed)).toMatchObject({ state: "RUNNING" });
    expect(await settledTask(engine, failed)).toMatchObject({ state: "FAILED" });
  });
});

describe("a link whose script brings the engine down", () => {
  it("is FAILED after five crashes, never AWAITING_RETRY, and the plan goes on", async () => {
    const sleeps = `export async function run(ctx) { ctx.log("begins"); await ctx.sleep(60000); }`;
    let world: EngineWorld = await openDemo([link({ scriptContent: sleeps }), link({ id: "second" })]);
    const { engine } = world;
    await settledTask(engine, (await engine.install("other")).id);
    const { id, children } = await engine.install("demo", { links: [SELECTED, { ...SELECTED, hookId: "second" }] });
    for (let life = 1; life <= 5; life += 1) {
      await expect.poll(() => world.store.hookLog(children[0]?.id ?? "", 10).length).toBe(life);
      world = await world.crash();
    }
    expect(await settledTask(world.engine, id)).toMatchObject({
      state: "COMPLETED",
      children: [{ state: "FAILED", failure: { code: "TASK_CRASH_LOOP" } }, { state: "COMPLETED" }],
    });
  });
});

describe("an install that failed before its links", () => {
  async function failed() {
    const made = await openDemo([link()]);
    const fault = faultOf("HOST_CALL_FAILED", "[EFAULT] no");
    made.host.script.endJob("app.create", { state: "FAILED", fault });
    const request = { links: [{ ...SELECTED, install: { other: {} } }] };
    const { id } = await made.engine.install("demo", request);
    expect(await settledTask(made.engine, id)).toMatchObject({ state: "FAILED" });
    return { ...made, id, request };
  }

  it("leaves them to the next install of the app", async () => {
    const { engine, id, request } = await failed();
    const second = await settledTask(engine, (await engine.install("demo", request)).id);
    expect(second).toMatchObject({ state: "COMPLETED", marks: [] });
    expect(second.children.map(({ kind, state }) => [kind, state])).toEqual([
      ["install", "COMPLETED"],
      ["link", "COMPLETED"],
    ]);
    expect(engine.task(id)?.children.map(({ state }) => state)).toEqual(["CANCELLED", "CANCELLED"]);
  });

  it("does not keep anyone from installing their target, and a retry links it", async () => {
    const { engine, id } = await failed();
    await settledTask(engine, (await engine.install("other")).id);
    await engine.retry(id);
    const view = await settledTask(engine, id);
    expect(view.children.map(({ kind, state }) => [kind, state])).toEqual([
      ["install", "CANCELLED"],
      ["link", "COMPLETED"],
    ]);
  });

  it("keeps them while the next request is refused", async () => {
    const { engine, id } = await failed();
    await expect(engine.install("other", { answers: { none: 1 } })).rejects.toThrow();
    expect(engine.task(id)?.children.map(({ state }) => state)).toEqual(["PENDING", "PENDING"]);
  });

  it("keeps them while the next request loses its app to one that started meanwhile", async () => {
    const { engine, host, id, request } = await failed();
    const release = host.script.hold("app.create");
    const [first, second] = await Promise.allSettled([engine.install("demo"), engine.install("demo", request)]);
    expect(first).toMatchObject({ status: "fulfilled" });
    expect(second).toMatchObject({ status: "rejected", reason: { code: "TASK_CONFLICT" } });
    expect(engine.task(id)?.children.map(({ state }) => state)).toEqual(["PENDING", "PENDING"]);
    release();
  });

  it("does not keep anyone from pressing what they link", async () => {
    const { engine, host } = await openDemo([link()]);
    await settledTask(engine, (await engine.install("demo")).id);
    host.script.endJob("app.create", { state: "FAILED", fault: faultOf("HOST_CALL_FAILED", "[EFAULT] no") });
    const { id } = await engine.install("other", { links: [{ ...SELECTED, targets: ["demo"] }] });
    const plan = await settledTask(engine, id);
    expect(plan).toMatchObject({ state: "FAILED", children: [{ kind: "link", state: "PENDING" }] });
    await settledTask(engine, (await engine.install("other")).id);
    expect(engine.task(id)).toMatchObject({ state: "FAILED", children: [{ state: "PENDING" }] });
    expect(await engine.actions("demo", "card")).toMatchObject([{ hookId: "connect", state: "enabled" }]);
    const pressed = await engine.runAction("demo", "connect");
    expect(await settledTask(engine, pressed.id)).toMatchObject({ state: "COMPLETED" });
    expect(engine.task(id)?.children.map(({ state }) => state)).toEqual(["CANCELLED"]);
  });
});
