/** What a link asks of people, and how often one hook runs that is linked and pressed. */
import { describe, expect } from "vitest";
import { it } from "../../support/engine/engine-test.ts";
import { hookTask, settledTask } from "../../support/engine/engine-world.ts";
import { on } from "../../support/scripts/scripts.ts";
import { asking, GIVEN, link, openDemo, SELECTED, signIn } from "./linking-demo.ts";

describe("Install dialog 6: what a link is asked", () => {
  it("is nothing a required hook of the install has collected, by input id or by question key", async () => {
    const { engine, store } = await openDemo([signIn, link({ ...asking, requiresHooks: ["sign-in"] })]);
    await settledTask(engine, (await engine.install("other")).id);
    const view = await settledTask(engine, (await engine.install("demo", { ...GIVEN, links: [SELECTED] })).id);
    expect(view.state).toBe("COMPLETED");
    expect(store.hookLog(hookTask(view, "connect").id, 1)[0]?.line).toBe("ada north");
  });

  it("is everything again without requiresHooks, and the links after it wait behind it until it is answered", async () => {
    const { engine } = await openDemo([signIn, link(asking), link({ id: "next" })]);
    await settledTask(engine, (await engine.install("other")).id);
    const { id } = await engine.install("demo", { ...GIVEN, links: [SELECTED, { ...SELECTED, hookId: "next" }] });
    const waiting = await settledTask(engine, id);
    expect(hookTask(waiting, "connect")).toMatchObject({ state: "AWAITING_INPUT" });
    expect(hookTask(waiting, "next")).toMatchObject({ state: "PENDING" });
    await engine.input(hookTask(waiting, "connect").id, { account: "bob", location: "south" });
    expect(await settledTask(engine, id)).toMatchObject({ state: "COMPLETED" });
  });

  it.each(["skip", "cancel"] as const)("%s of a link that waits frees the links behind it", async (decision) => {
    const { engine, told } = await openDemo([link(asking), link({ id: "next" })]);
    await settledTask(engine, (await engine.install("other")).id);
    const { id } = await engine.install("demo", { links: [SELECTED, { ...SELECTED, hookId: "next" }] });
    await engine[decision](hookTask(await settledTask(engine, id), "connect").id);
    const view = await settledTask(engine, id);
    expect(view.state).toBe("COMPLETED");
    expect(view.children.map(({ state }) => state)).toEqual([
      decision === "skip" ? "SKIPPED" : "CANCELLED",
      "COMPLETED",
    ]);
    expect(told.map(({ hookId }) => hookId)).toEqual(["next"]);
  });

  it("waits for a person at a failed checkpoint too, and Skip lets script and plan go on", async () => {
    const scriptContent = `export async function run(ctx) {
      await ctx.registerCheckpoints([{ id: "a", message: "A" }]);
      ctx.log(await ctx.awaitCheckpointRetry("a", "no"));
    }`;
    const { engine, store } = await openDemo([link({ scriptContent }), link({ id: "next" })]);
    await settledTask(engine, (await engine.install("other")).id);
    const { id } = await engine.install("demo", { links: [SELECTED, { ...SELECTED, hookId: "next" }] });
    const waiting = hookTask(await settledTask(engine, id), "connect");
    expect(waiting.state).toBe("AWAITING_RETRY");
    await engine.skip(waiting.id);
    const view = await settledTask(engine, id);
    expect(view.children.map(({ state }) => state)).toEqual(["COMPLETED", "COMPLETED"]);
    expect(store.hookLog(waiting.id, 1)[0]?.line).toBe("skip");
  });
});

describe("a hook that is pressed and linked at once", () => {
  it("runs once: a press while its link is unfinished is answered with the link's task", async () => {
    const { engine } = await openDemo([link(asking)]);
    await settledTask(engine, (await engine.install("other")).id);
    const { id } = await engine.install("demo", { links: [SELECTED] });
    const waiting = hookTask(await settledTask(engine, id), "connect");
    await expect(engine.runAction("demo", "connect")).rejects.toMatchObject({
      code: "TASK_CONFLICT",
      details: { taskId: waiting.id },
    });
  });

  it("runs once: the install leaves the link out while a pressed run is unfinished, and completes", async () => {
    const other = { hooks: [link({ ...asking, conditions: [on("demo")] })] };
    const { engine, host } = await openDemo([], {}, {}, { other });
    for (const app of ["demo", "other"]) await settledTask(engine, (await engine.install(app)).id);
    const { id: pressed } = await engine.runAction("other", "connect");
    await settledTask(engine, pressed);
    host.script.world.instances.delete("demo");
    const links = [{ hookId: "connect", runsOnAppId: "other", targets: ["other"] }];
    const view = await settledTask(engine, (await engine.install("demo", { links })).id);
    expect(view).toMatchObject({ state: "COMPLETED", children: [], marks: ["refused: link.other.connect"] });
  });
});
