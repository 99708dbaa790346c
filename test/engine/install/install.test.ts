import { describe, expect } from "vitest";
import { HostError } from "../../../src/engine/host-error.ts";
import { it, openWorld } from "../../support/engine/engine-test.ts";
import { hookTask, settledTask } from "../../support/engine/engine-world.ts";
import { faultOf } from "../../support/engine/scripted-world.ts";
import { installDemo } from "./installed-demo.ts";

const hookOf = (changes: Record<string, unknown> = {}) => ({
  id: "setup",
  title: "Set up",
  events: ["onAfterInstall"],
  scriptContent: "export async function run(ctx) {}",
  entrypoint: "run",
  ...changes,
});

describe("an install", () => {
  it("without anything declared creates the app and completes", async () => {
    const { view, host } = await installDemo({});
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
      const { engine, host, id, view } = await installDemo({ hooks: [before] });
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
    const { view, host } = await installDemo({
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
    expect(hookTask(view, "after").checkpoints).toMatchObject([
      { id: "one", message: "First done", state: "COMPLETED" },
      { id: "two", message: "Second", state: "SKIPPED" },
    ]);
    expect(host.script.changes()).toHaveLength(1);
  });
});

describe("a generated secret", () => {
  it("reaches the host and nothing else", async () => {
    const { host, store, id, view, log } = await installDemo({
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
