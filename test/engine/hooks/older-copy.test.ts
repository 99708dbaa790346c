/** An older copy of the database is put back: nobody knows what the hooks have sent since that were under way in it. */
import { join } from "node:path";
import { expect } from "vitest";
import { createSandbox } from "../../../sandbox/sandbox.ts";
import { createScriptIo } from "../../../src/adapters/script-io/script-io.ts";
import { closeAfterTest, it } from "../../support/engine/engine-test.ts";
import { type EngineWorld, settledTask, until } from "../../support/engine/engine-world.ts";
import { createTestFolder } from "../../support/engine/runtime-world.ts";
import { action, arrival, openApp, received } from "./app-actions.ts";

const WAYS: Readonly<Record<string, (world: EngineWorld) => () => Promise<EngineWorld>>> = {
  "an older copy": (world) => world.copy(),
  "a backup": (world) => {
    const folder = createTestFolder();
    closeAfterTest({ close: async () => folder.remove() });
    const made = world.engine.backup({ file: join(folder.path, "backup") });
    return async () => world.restore((await made).file);
  },
};

it.each(Object.keys(WAYS))("asks a person about every hook that was under way in %s, begun or not", async (way) => {
  // the second one waits for its place
  const concurrency = { hook: 1, widget: 1 };
  const sandbox = closeAfterTest(
    createSandbox({ allowWeakSandbox: true, scriptIo: createScriptIo({ loopback: true }), concurrency }),
  );
  const copied = arrival();
  let putBack: (() => Promise<EngineWorld>) | undefined;
  let isReady = false;
  const routes = {
    "GET /ready": () => ({ status: isReady ? 200 : 503 }),
    "POST /first": () => {
      putBack ??= WAYS[way]?.(world);
      copied.arrive();
      return { status: 201 };
    },
    "POST /second": () => ({ status: 201 }),
  };
  const post = (path: string) =>
    action(
      path,
      `await ctx.waitForApp("/ready", { initialDelayMs: 50, maxDelayMs: 50, maxAttempts: 1000 });
       await fetch(ctx.baseUrl + "/${path}", { method: "POST" });`,
    );
  const { app, world } = await openApp(routes, [post("first"), post("second")], { sandbox });
  const ids: string[] = [];
  for (const hook of ["first", "second"]) ids.push((await world.engine.runAction("demo", hook)).id);
  const isUnderWay = (id: string) => world.store.openEffects(id).some(({ name }) => name === "hook.run");
  await until(world.engine, () => ids.every(isUnderWay));
  isReady = true;
  await copied.promise;
  for (const id of ids) expect(await settledTask(world.engine, id)).toMatchObject({ state: "COMPLETED" });
  const older = (await putBack?.()) ?? world;
  expect(older.store.opened.rolledBack).toBe(true);
  for (const [at, id] of ids.entries()) {
    expect(await settledTask(older.engine, id)).toMatchObject({
      state: "AWAITING_RETRY",
      failure: { code: "TASK_EFFECT_UNKNOWN", message: expect.stringContaining(`"${["first", "second"][at]}"`) },
    });
  }
  expect([received(app, "/first"), received(app, "/second")]).toEqual([1, 1]);
  for (const id of ids) await older.engine.retry(id);
  for (const id of ids) expect(await settledTask(older.engine, id)).toMatchObject({ state: "COMPLETED" });
  expect([received(app, "/first"), received(app, "/second")]).toEqual([2, 2]);
});
