import { describe, expect } from "vitest";
import { EngineError } from "../../../src/core/codes/problems.ts";
import { it, openWorld } from "../../support/engine/engine-test.ts";
import { type EngineWorldOptions, hookTask, settledTask, until } from "../../support/engine/engine-world.ts";
import { createTestClock } from "../../support/test-clock.ts";

type Options = { readonly engine?: EngineWorldOptions["engine"]; readonly more?: Record<string, unknown> };

const setupHook = (hook: Record<string, unknown>) => ({
  id: "setup",
  title: "Set up",
  events: ["onAfterInstall"],
  entrypoint: "run",
  scriptContent: "export async function run(ctx) {}",
  ...hook,
});

/** An install whose only hook is this one, as it rests. */
async function installWith(hook: Record<string, unknown>, options: Options = {}, request = {}) {
  const world = await openWorld({
    catalog: {
      demo: {
        hooks: [setupHook(hook)],
        ...options.more,
      },
    },
    ...(options.engine && { engine: options.engine }),
  });
  const { id } = await world.engine.install("demo", request);
  const view = await settledTask(world.engine, id);
  return { world, engine: world.engine, id, view, hook: hookTask(view, "setup") };
}

const FAILS = `export async function run(ctx) { ctx.fail("no connection", [{ label: "port", value: "81" }]); }`;
const QUESTION = {
  type: "question",
  id: "name",
  question: { question: "Name?", type: "text", key: "name", required: true },
};
const PASSWORD = { type: "question", id: "pass", question: { question: "Password?", type: "password", key: "pass" } };

describe("a hook that fails", () => {
  it("waits for a person when it is required, with its message and context", async () => {
    const { view, hook } = await installWith({ scriptContent: FAILS });
    expect(view).toMatchObject({ state: "RUNNING", waitingFor: { kind: "person" } });
    expect(hook).toMatchObject({
      state: "AWAITING_RETRY",
      failure: {
        code: "TASK_HOOK_FAILED",
        message: "no connection",
        context: expect.arrayContaining([{ label: "port", value: "81" }]),
      },
    });
  });

  it("is run again from the beginning on Retry", async () => {
    const { engine, id, hook } = await installWith({ scriptContent: FAILS });
    await engine.retry(hook.id);
    const again = await settledTask(engine, id);
    expect(hookTask(again, "setup").state).toBe("AWAITING_RETRY");
    expect(again.state).toBe("RUNNING");
  });

  it("frees the install on Skip", async () => {
    const { engine, id, hook } = await installWith({ scriptContent: FAILS });
    await engine.skip(hook.id);
    const view = await settledTask(engine, id);
    expect(view.state).toBe("COMPLETED");
    expect(hookTask(view, "setup").state).toBe("SKIPPED");
    expect(view.result).toMatchObject({ notDone: ["setup"] });
  });

  it("is skipped when it is optional", async () => {
    const { view, hook } = await installWith({ scriptContent: FAILS, optional: true });
    expect(view.state).toBe("COMPLETED");
    expect(hook).toMatchObject({ state: "SKIPPED", failure: { message: "no connection" } });
  });

  it("is tried again as often as it declares", async () => {
    const { world, hook } = await installWith({
      retries: 2,
      scriptContent: `export async function run(ctx) { ctx.log("attempt"); throw new Error("no"); }`,
    });
    expect(hook.state).toBe("AWAITING_RETRY");
    expect(world.store.hookLog(hook.id, 10).map(({ line }) => line)).toEqual(["attempt", "attempt", "attempt"]);
  });

  it("leaves the mark skippedRequired when it is required before the app and skipped, after a warning", async () => {
    const { engine, id, hook } = await installWith({ scriptContent: FAILS, events: ["onBeforeInstall"] });
    expect(hook.waitingFor?.detail).toMatchObject({ warning: expect.any(String) });
    await engine.skip(id);
    const view = await settledTask(engine, id);
    expect(view).toMatchObject({ state: "COMPLETED", marks: ["skippedRequired"] });
    expect(hookTask(view, "setup").marks).toEqual(["skippedRequired"]);
  });

  it("ends at its timeout", async () => {
    const { hook } = await installWith({
      timeout: 1,
      scriptContent: "export async function run(ctx) { await ctx.sleep(60000); }",
    });
    expect(hook).toMatchObject({ state: "AWAITING_RETRY", failure: { code: "TASK_HOOK_TIMEOUT" } });
  });

  it("does not use up its timeout while the host can't be asked, also after a restart", async () => {
    const clock = createTestClock();
    const scriptContent = `export async function run(ctx) { await ctx.emitCheckpoint("a"); await ctx.sleep(60000); }`;
    const world = await openWorld({
      catalog: { demo: { hooks: [{ id: "setup", title: "S", rerun: "converge", entrypoint: "run", scriptContent }] } },
      engine: { clock },
    });
    const install = await world.engine.install("demo");
    const stateLater = () => {
      clock.advance(10);
      return world.engine.task(install.id)?.state;
    };
    await expect.poll(stateLater).toBe("COMPLETED");
    const { id } = await world.engine.runAction("demo", "setup");
    await until(world.engine, () => world.engine.task(id)?.checkpoints[0]?.state === "COMPLETED");
    world.host.script.setAppsService("STOPPED");
    const { engine, host } = await world.restart();
    await until(engine, () => engine.task(id)?.waitingFor?.kind === "network");
    clock.advance(3_600_000);
    expect(engine.task(id)).toMatchObject({ state: "RUNNING", waitingFor: { kind: "network" } });
    host.script.setAppsService("RUNNING");
    const waitsLater = () => {
      clock.advance(10);
      return engine.task(id)?.waitingFor;
    };
    await expect.poll(waitsLater).toBeUndefined();
    expect(engine.task(id)).toMatchObject({ state: "RUNNING" });
  });

  it("is dropped alone when its script does not compile, and the install says so", async () => {
    const world = await openWorld({
      catalog: {
        demo: {
          hooks: [
            { id: "broken", title: "B", events: ["onAfterInstall"], entrypoint: "run", script: "demo/none.ts" },
            {
              id: "setup",
              title: "S",
              events: ["onAfterInstall"],
              entrypoint: "run",
              scriptContent: "export async function run() {}",
            },
          ],
        },
      },
    });
    const { id } = await world.engine.install("demo");
    const view = await settledTask(world.engine, id);
    expect(view.state).toBe("COMPLETED");
    expect(view.children.map(({ hookId }) => hookId)).toEqual(["setup"]);
    expect(view.marks).toEqual(["hookDropped: broken"]);
  });
});

describe("a checkpoint that fails and waits", () => {
  const SCRIPT = `export async function run(ctx) {
    await ctx.registerCheckpoints([{ id: "a", message: "A" }, { id: "b", message: "B" }]);
    await ctx.emitCheckpoint("a");
    const answer = await ctx.awaitCheckpointRetry("b", "not there", [{ label: "tried", value: "1" }]);
    ctx.log(answer);
    if (answer === "retry") await ctx.emitCheckpoint("b");
  }`;

  it("goes on from the checkpoint on Retry", async () => {
    const { world, engine, id, hook } = await installWith({ scriptContent: SCRIPT });
    expect(hook).toMatchObject({ state: "AWAITING_RETRY", failure: { message: "not there" }, progress: 50 });
    expect(hook.checkpoints[1]?.state).toBe("FAILED");
    expect(hook.waitingFor?.detail).toMatchObject({ checkpoint: "b" });
    await engine.retry(hook.id);
    const view = await settledTask(engine, id);
    expect(view.state).toBe("COMPLETED");
    expect(hookTask(view, "setup").checkpoints.map(({ state }) => state)).toEqual(["COMPLETED", "COMPLETED"]);
    expect(world.store.hookLog(hook.id, 10).map(({ line }) => line)).toEqual(["retry"]);
  });

  it("is named only while the script waits at it: what fails later asks about the whole hook, with its warning", async () => {
    const scriptContent = `export async function run(ctx) { await ctx.awaitCheckpointRetry("b", "no"); ctx.fail("over"); }`;
    const { engine, id, hook } = await installWith({ scriptContent, events: ["onBeforeInstall"] });
    await engine.skip(hook.id);
    const { waitingFor, failure } = hookTask(await settledTask(engine, id), "setup");
    expect(failure?.message).toBe("over");
    expect(waitingFor?.detail).toEqual({ choices: ["retry", "skip", "cancel"], warning: expect.any(String) });
  });

  it("goes on without the checkpoint on Skip", async () => {
    const { engine, id, hook } = await installWith({ scriptContent: SCRIPT });
    await engine.skip(hook.id);
    const view = await settledTask(engine, id);
    expect(hookTask(view, "setup").checkpoints.map(({ state }) => state)).toEqual(["COMPLETED", "SKIPPED"]);
  });

  it.each([
    ["retry", ["COMPLETED", "COMPLETED"]],
    ["skip", ["COMPLETED", "SKIPPED"]],
  ] as const)(
    "still waits after a restart, and %s reaches the script, which goes on where it was",
    async (decision, checkpoints) => {
      const { world, id, hook } = await installWith({ scriptContent: SCRIPT });
      const { engine, store } = await world.restart();
      const rested = await settledTask(engine, id);
      expect(hookTask(rested, "setup").state).toBe("AWAITING_RETRY");
      await engine[decision](hook.id);
      const view = await settledTask(engine, id);
      expect(view.state).toBe("COMPLETED");
      expect(hookTask(view, "setup").checkpoints.map(({ state }) => state)).toEqual(checkpoints);
      expect(store.hookLog(hook.id, 10).map(({ line }) => line)).toEqual([
        "[slipway] went on after a restart",
        decision,
      ]);
    },
  );
});

describe("a hook whose journal the store refuses", () => {
  it("stands still, and goes on with nothing lost once the store takes it", async () => {
    const clock = createTestClock();
    const scriptContent = `export async function run(ctx) {
      ctx.log("before");
      const answer = await ctx.getInstalledAppUrl("other");
      ctx.log("after " + answer);
    }`;
    const world = await openWorld({
      catalog: { demo: { hooks: [setupHook({ scriptContent })] } },
      engine: { clock },
    });
    const { engine, store } = world;
    const { writeJournals } = store;
    const refused = Promise.withResolvers<void>();
    store.writeJournals = () => {
      refused.resolve();
      throw new EngineError("STORE_FULL", "disk is full");
    };
    const { id } = await engine.install("demo");
    await refused.promise;
    const hook = engine.task(id)?.children.find(({ hookId }) => hookId === "setup");
    expect(hook?.state).toBe("RUNNING");
    expect(store.hookLog(hook?.id ?? "", 10)).toEqual([]);
    store.writeJournals = writeJournals;
    clock.advance(1_000);
    expect((await settledTask(engine, id)).state).toBe("COMPLETED");
    expect(store.hookLog(hook?.id ?? "", 10).map(({ line }) => line)).toEqual(["before", "after null"]);
  });
});

describe("a hook with inputs", () => {
  const SCRIPT = `export async function run(ctx) { ctx.log("name " + ctx.getInput("name")); }`;

  it("asks for what is missing, with the declaration", async () => {
    const { hook, view } = await installWith({ scriptContent: SCRIPT, inputs: [QUESTION] });
    expect(view.waitingFor).toMatchObject({ kind: "person" });
    expect(hook).toMatchObject({
      state: "AWAITING_INPUT",
      waitingFor: {
        kind: "person",
        deadline: expect.any(String),
        detail: { inputs: [{ id: "name", type: "question", question: { key: "name" } }] },
      },
    });
  });

  it("goes on with the values given, which no view and no event shows when they are secret", async () => {
    const script = `export async function run(ctx) { ctx.fail("refused " + ctx.getInput("pass")); }`;
    const { world, engine, id, hook } = await installWith({ scriptContent: script, inputs: [PASSWORD] });
    await engine.input(hook.id, { pass: "hunter22" });
    const view = await settledTask(engine, id);
    expect(hookTask(view, "setup").failure?.message).toBe("refused ********");
    const log = JSON.stringify(world.store.logAfter(0, 1000));
    expect(log + JSON.stringify(view) + world.log.join("")).not.toContain("hunter22");
  });

  it("does not ask for inputs that came with the request", async () => {
    const { view, world, hook } = await installWith(
      { scriptContent: SCRIPT, inputs: [QUESTION] },
      {},
      { inputs: { setup: { name: "Ann" } } },
    );
    expect(view.state).toBe("COMPLETED");
    expect(world.store.hookLog(hook.id, 5).map(({ line }) => line)).toEqual(["name Ann"]);
  });

  it("refuses a value of the wrong type with its place, and goes on asking", async () => {
    const { engine, hook } = await installWith({ scriptContent: SCRIPT, inputs: [QUESTION] });
    await expect(engine.input(hook.id, { name: 5 })).rejects.toMatchObject({
      code: "ANSWER_TYPE",
      details: { problems: [{ path: ["inputs", "name"] }] },
    });
    expect(engine.task(hook.id)?.state).toBe("AWAITING_INPUT");
  });

  it("that failed starts again when inputs are given anew", async () => {
    const script = `export async function run(ctx) { if (ctx.getInput("name") !== "Ann") ctx.fail("who?"); }`;
    const { engine, id, hook } = await installWith({ scriptContent: script, inputs: [QUESTION] });
    await engine.input(hook.id, { name: "Bob" });
    expect(hookTask(await settledTask(engine, id), "setup").state).toBe("AWAITING_RETRY");
    await engine.input(hook.id, { name: "Ann" });
    expect((await settledTask(engine, id)).state).toBe("COMPLETED");
  });

  it("is skipped when its inputs are late, where it is optional and of version 6", async () => {
    const { view, engine, hook } = await installWith(
      { scriptContent: SCRIPT, inputs: [QUESTION], optional: true },
      { engine: { timing: { inputDeadline: 20 } } },
    );
    // It rests while it asks; the timer is a later turn.
    expect(["AWAITING_INPUT", "SKIPPED"]).toContain(hook.state);
    await until(engine, () => engine.task(view.id)?.state === "COMPLETED");
    const ended = await settledTask(engine, view.id);
    expect(hookTask(ended, "setup").state).toBe("SKIPPED");
  });

  it("stays AWAITING_INPUT, marked overdue, when its inputs are late and it is required", async () => {
    const { view, engine, hook } = await installWith(
      { scriptContent: SCRIPT, inputs: [QUESTION] },
      { engine: { timing: { inputDeadline: 20 } } },
    );
    await until(engine, () => engine.task(hook.id)?.marks.includes("overdue") === true);
    const { since } = hook.waitingFor ?? {};
    expect(engine.task(hook.id)).toMatchObject({ state: "AWAITING_INPUT", waitingFor: { kind: "person", since } });
    await engine.input(hook.id, { name: "Bob" });
    const done = await settledTask(engine, view.id);
    expect(done.state).toBe("COMPLETED");
    expect(hookTask(done, "setup").marks).toEqual([]);
  });
});
