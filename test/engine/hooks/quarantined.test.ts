/** A task that is quarantined while its hook runs: the script stands still, and Retry goes on where it was. */
import { expect } from "vitest";
import type { Store } from "../../../src/engine/ports/store.ts";
import { createEmptyTurn } from "../../../src/engine/runtime/turn/turn.ts";
import { it } from "../../support/engine/engine-test.ts";
import { settledTask, until } from "../../support/engine/engine-world.ts";
import { action, linesOf, openApp, received } from "./app-actions.ts";

/** Stores another snapshot for a task; answers the one it had. */
function putSnapshot(store: Store, id: string, snapshot: string | null): string | null {
  const row = store.task(id);
  if (row === null) throw new Error(`no task ${id}`);
  const turn = createEmptyTurn({ epoch: store.opened.epoch, now: Date.now() });
  store.commit({ ...turn, tasks: [{ expectedRev: row.rev, row: { ...row, snapshot } }] });
  return row.snapshot;
}

it("a hook whose task is quarantined while it runs loses nothing it was telling", async () => {
  let snapshot: string | null = null;
  const routes = {
    "GET /before": () => {
      snapshot = putSnapshot(world.store, id, "{}");
      return { body: "what the script tells now quarantines its task" };
    },
    "POST /after": () => ({ status: 201 }),
  };
  const body = `await fetch(ctx.baseUrl + "/before");
    await ctx.emitCheckpoint("told");
    await fetch(ctx.baseUrl + "/after", { method: "POST" });
    ctx.log("after");`;
  const { app, world } = await openApp(routes, [action("set", body)]);
  const { id } = await world.engine.runAction("demo", "set");
  await until(world.engine, () => world.engine.task(id)?.failure?.code === "TASK_QUARANTINED");
  putSnapshot(world.store, id, snapshot);
  await world.engine.retry(id);
  expect(await settledTask(world.engine, id)).toMatchObject({
    state: "COMPLETED",
    checkpoints: [{ id: "told", state: "COMPLETED" }],
  });
  expect([received(app, "/before"), received(app, "/after")]).toEqual([1, 1]);
  expect(linesOf(world, id)).toEqual(["[slipway] went on after a restart", "after"]);
});

it("a hook that could not go on after a restart leaves no mark of that with its parent once it is put away", async () => {
  let isReady = false;
  const routes = {
    // More than is recorded of one answer.
    "GET /large": () => ({ body: "x".repeat(9 * 1024 * 1024) }),
    "GET /ready": () => ({ status: isReady ? 200 : 503 }),
  };
  const body = `await (await fetch(ctx.baseUrl + "/large")).text();
    await ctx.waitForApp("/ready", { initialDelayMs: 20, maxDelayMs: 20, maxAttempts: 10_000 });`;
  const { world } = await openApp(routes, [{ ...action("before", body), events: ["onBeforeUpgrade", "userAction"] }]);
  const { engine, host, store } = world;
  host.script.setApp("demo", { version: "1.0.0", upgradeAvailable: true });
  const { id } = await engine.upgrade("demo");
  const hook = () => engine.task(id)?.children[0];
  await until(engine, () => hook()?.marks.includes("notResumable") === true);
  const hookId = hook()?.id ?? "";
  putSnapshot(store, hookId, "{}");
  isReady = true;
  await until(engine, () => hook()?.failure?.code === "TASK_QUARANTINED");
  await engine.dismiss(hookId);
  const ended = await settledTask(engine, id);
  expect([ended.state, ended.marks, hook()?.marks]).toEqual(["COMPLETED", ["quarantined: before"], ["quarantined"]]);
});
