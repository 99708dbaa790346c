import { afterAll, afterEach, describe, expect, it } from "vitest";
import {
  createEngineWorld,
  createTestSandbox,
  type EngineWorld,
  hookTask,
  settledTask,
} from "../support/engine-world.ts";

const sandbox = createTestSandbox();
afterAll(() => sandbox.close());

let world: EngineWorld | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

const hookOf = (changes: Record<string, unknown> = {}) => ({
  id: "setup",
  title: "Set up",
  events: ["onAfterInstall"],
  scriptContent: "export async function run(ctx) {}",
  entrypoint: "run",
  ...changes,
});

async function installed(script: Record<string, unknown>, host = {}) {
  world = await createEngineWorld({ catalog: { demo: script }, engine: { sandbox }, host });
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
