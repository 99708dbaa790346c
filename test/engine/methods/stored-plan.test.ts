import { expect, expectTypeOf } from "vitest";
import type { z } from "zod";
import { readApp, readHook, readPlan } from "../../../src/engine/read-plan.ts";
import type { StoredPlan } from "../../../src/engine/stored-plan.ts";
import type { StoredPlanSchema } from "../../../src/engine/stored-plan-schema.ts";
import { it, openWorld } from "../../support/engine/engine-test.ts";
import { settledTask } from "../../support/engine/engine-world.ts";

const SCRIPT = {
  hooks: [
    {
      id: "setup",
      title: "Set up",
      events: ["onAfterInstall"],
      scriptContent: "export async function run(ctx) {}",
      entrypoint: "run",
    },
  ],
};

it("a plan an install wrote is read back whole", async () => {
  const world = await openWorld({ catalog: { demo: SCRIPT } });
  const { engine, store } = world;
  const { id } = await engine.install("demo");
  expect((await settledTask(engine, id)).state).toBe("COMPLETED");
  expect(readPlan(store, id)).toEqual(store.plan(id));
  expect(readApp(store, id, "demo").instance).toBe("demo");
  expect(readHook(store, id, "demo", "setup").hook.entrypoint).toBe("run");
  expectTypeOf<z.infer<typeof StoredPlanSchema>>().toEqualTypeOf<StoredPlan>();
});

it.each([
  ["none at all", () => null, 'task "t1" has no plan this build can read'],
  ["one of another format", () => ({ format: 2 }), 'can read at "format"'],
  [
    "one with an app cut short",
    () => ({ format: 1, apps: { demo: {} }, hooks: {}, secrets: [] }),
    'at "apps.demo.appId"',
  ],
  ["one without the app", () => ({ format: 1, apps: {}, hooks: {}, secrets: [] }), 'does not know the app "demo"'],
])("a plan that is %s is TASK_QUARANTINED, with the place", (_row, plan, message) => {
  expect(() => readApp({ plan }, "t1", "demo")).toThrow(
    expect.objectContaining({
      code: "TASK_QUARANTINED",
      message: expect.stringContaining(message),
      details: { taskId: "t1" },
    }),
  );
});

it("a task whose plan does not fit is quarantined before anything is changed on the host", async () => {
  const world = await openWorld({ catalog: { demo: SCRIPT } });
  const { engine, store, host } = world;
  const { plan } = store;
  store.plan = (rootId) => ({ ...plan(rootId), apps: { demo: { appId: "demo" } } });
  const { id } = await engine.install("demo");
  const task = await settledTask(engine, id);
  expect(task).toMatchObject({ marks: ["quarantined"], failure: { code: "TASK_QUARANTINED" } });
  expect(task.failure?.message).toContain('has no plan this build can read at "apps.demo.title"');
  expect(host.script.changes()).toEqual([]);
});
