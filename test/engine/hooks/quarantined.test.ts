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
