/** What a life that died with a question to the host unanswered leaves to the next. */
import { describe, expect } from "vitest";
import { it, openWorld } from "../support/engine/engine-test.ts";
import { hookTask, settledTask, until } from "../support/engine/engine-world.ts";

const ASK = `export async function run(ctx) { await ctx.awaitCheckpointRetry("ask", "Shall it go on?"); }`;
const HOOK = { id: "ask", title: "Ask", events: ["onBeforeUpgrade"], entrypoint: "run", scriptContent: ASK };

describe("an upgrade interrupted while it asks whether the app is stopped", () => {
  it("does not say that it started an app that ran all the time", async () => {
    const offered = { train: "stable", title: "Demo", icon: "", versions: ["1.0.0", "2.0.0"] };
    const { engine, host, store, restart } = await openWorld({
      catalog: { demo: { hooks: [HOOK] } },
      host: { catalog: { demo: { ...offered, versions: ["1.0.0"] } } },
    });
    await settledTask(engine, (await engine.install("demo")).id);
    host.script.world.catalog.set("demo", offered);
    const { id } = await engine.upgrade("demo");
    const asking = hookTask(await settledTask(engine, id), "ask");
    host.script.setAppsService("INITIALIZING");
    await engine.skip(asking.id);
    await until(engine, () => store.openEffects(id).some(({ name }) => name === "host.app.start"));
    const restarted = await restart();
    host.script.setAppsService("RUNNING");
    expect(await settledTask(restarted.engine, id)).toMatchObject({ state: "COMPLETED", marks: [] });
    expect(host.script.changes().filter(({ method }) => method === "app.start")).toEqual([]);
  });
});
