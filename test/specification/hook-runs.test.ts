/** What a running hook tells and what a person decides: "HookContext" and "States and transitions". */
import { describe, expect } from "vitest";
import { it, openWorld } from "../support/engine/engine-test.ts";
import { hookTask, settledTask } from "../support/engine/engine-world.ts";

const body = (text: string) => `export async function run(ctx) { ${text} }`;

async function install(changes: Record<string, unknown>, script: Record<string, unknown> = {}) {
  const hook = { id: "setup", title: "Set up", events: ["onAfterInstall"], entrypoint: "run", ...changes };
  const world = await openWorld({ catalog: { demo: { hooks: [hook], ...script } } });
  const { id } = await world.engine.install("demo");
  const view = await settledTask(world.engine, id);
  return { ...world, id, view, hook: hookTask(view, "setup") };
}

const REGISTER = `await ctx.registerCheckpoints(["a", "b", "c"].map((id) => ({ id, message: "step " + id })));`;
const WAIT = `await ctx.awaitCheckpointRetry("c", "not yet");`;

describe("checkpoints", () => {
  it("that are registered are all shown at once, none of them done", async () => {
    const { hook } = await install({ scriptContent: body(REGISTER + WAIT) });
    expect(hook.checkpoints).toMatchObject([
      { id: "a", message: "step a", state: "REGISTERED" },
      { id: "b", message: "step b", state: "REGISTERED" },
      { id: "c", state: "FAILED" },
    ]);
  });

  it("are completed by an emit, which may change the message and set the progress", async () => {
    const emit = `await ctx.emitCheckpoint("a", "a is done", 42); await ctx.emitCheckpoint("b");`;
    const { hook, store } = await install({ scriptContent: body(REGISTER + emit) });
    expect(hook.checkpoints).toMatchObject([
      { id: "a", message: "a is done", state: "COMPLETED" },
      { id: "b", message: "step b", state: "COMPLETED" },
      { id: "c", message: "step c", state: "REGISTERED" },
    ]);
    const shown = store.logAfter(0, 1_000).flatMap(({ task }) => (task.id === hook.id ? [task.progress] : []));
    expect(shown).toContain(42);
  });

  it("take another message without being completed, and may be skipped with one", async () => {
    const change = `await ctx.updateCheckpointMessage("a", "a takes long"); await ctx.skipCheckpoint("b", "not needed");`;
    const { hook } = await install({ scriptContent: body(REGISTER + change + WAIT) });
    expect(hook.checkpoints).toMatchObject([
      { id: "a", message: "a takes long", state: "REGISTERED" },
      { id: "b", message: "not needed", state: "SKIPPED" },
      { id: "c", state: "FAILED" },
    ]);
  });
});

describe("Retry", () => {
  it("runs a hook that failed once more, from its beginning", async () => {
    const scriptContent = body(`ctx.log("begins"); await ctx.emitCheckpoint("a"); ctx.fail("no");`);
    const { engine, store, id, hook } = await install({ scriptContent });
    await engine.retry(hook.id);
    expect(hookTask(await settledTask(engine, id), "setup").state).toBe("AWAITING_RETRY");
    expect(store.hookLog(hook.id, 10).map(({ line }) => line)).toEqual(["begins", "begins"]);
  });
});

describe("hooks of one event", () => {
  it("run one after another: the next one begins once the one before has ended", async () => {
    const second = { id: "second", title: "Second", events: ["onAfterInstall"], entrypoint: "run" };
    const hooks = [
      { ...second, id: "setup", title: "First", scriptContent: body(`ctx.fail("no");`) },
      { ...second, scriptContent: body("") },
    ];
    const { engine, id, view, hook } = await install({}, { hooks });
    expect([view.state, hookTask(view, "second").state]).toEqual(["RUNNING", "PENDING"]);
    await engine.skip(hook.id);
    const ended = await settledTask(engine, id);
    expect([ended.state, hookTask(ended, "second").state]).toEqual(["COMPLETED", "COMPLETED"]);
  });
});

describe("an optional hook", () => {
  it("is skipped only once its retries are used up, and the install goes on", async () => {
    const scriptContent = body(`ctx.log("attempt"); ctx.fail("no");`);
    const { view, hook, store } = await install({ optional: true, retries: 1, scriptContent });
    expect([view.state, hook.state]).toEqual(["COMPLETED", "SKIPPED"]);
    expect(store.hookLog(hook.id, 10)).toHaveLength(2);
  });
});

describe("the context of a hook", () => {
  it("has the kind and id of its app, its event, its answers, and no versions at an install", async () => {
    const inputs = [{ type: "question", id: "q", question: { question: "?", type: "text", key: "q", default: "d" } }];
    const scriptContent = body(
      `ctx.log(JSON.stringify([ctx.resourceType, ctx.resourceId, ctx.event, ctx.fromVersion, ctx.toVersion, ctx.inputs]));`,
    );
    const { engine, store, id, hook } = await install({ scriptContent, inputs });
    if (hook.state === "AWAITING_INPUT") await engine.input(hook.id, { q: "Ada" });
    await settledTask(engine, id);
    const [line] = store.hookLog(hook.id, 1);
    expect(JSON.parse(line?.line ?? "")).toEqual(["app", "demo", "onAfterInstall", null, null, { q: "Ada" }]);
  });

  it("sleeps for as long as it is asked to", async () => {
    const scriptContent = body(`const from = Date.now(); await ctx.sleep(60); ctx.log(String(Date.now() - from));`);
    const { store, hook } = await install({ scriptContent });
    expect(Number(store.hookLog(hook.id, 1)[0]?.line)).toBeGreaterThanOrEqual(59);
  });
});
