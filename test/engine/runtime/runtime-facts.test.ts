/** What the runtime knows by itself and no machine has to: a host that is silent, a child that asks or has ended. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { replayTask } from "../../../src/engine/replay/replay.ts";
import { createHeldHandler, createTestFolder, createWorld, type World } from "../../support/engine/runtime-world.ts";
import { helperTask, household, pointTask } from "../../support/machines/parent-child-machine.ts";
import { errand } from "../../support/machines/single-effect-machine.ts";

let folder: ReturnType<typeof createTestFolder>;
let worlds: World[];

beforeEach(() => {
  folder = createTestFolder();
  worlds = [];
});

afterEach(async () => {
  for (const world of worlds) await world.close();
  folder.remove();
});

function createErrand() {
  const run = createHeldHandler({ class: "local" });
  const handlers = { "errand.run": run, "errand.report": createHeldHandler({ class: "local" }) };
  const world = createWorld({ folder: folder.path, registry: [errand], handlers });
  worlds.push(world);
  return { ...world, run };
}

async function startErrand() {
  const world = createErrand();
  const { id } = world.runtime.start({ machine: "errand", input: { label: "bread" }, kind: "update", appId: "shop" });
  await Promise.resolve();
  return { ...world, id, call: world.run.calls[0] };
}

describe("a silent host", () => {
  test("is shown as a wait for the network and told to watchers, without a turn of the machine", async () => {
    const { runtime, store, id, call } = await startErrand();
    const before = store.task(id);
    call?.run.setHostSilent(true);
    call?.run.setHostSilent(true);
    expect(runtime.task(id)?.waitingFor).toMatchObject({ kind: "network" });
    expect(store.task(id)).toMatchObject({ rev: before?.rev, snapshot: before?.snapshot, silent: call?.run.effectId });
    expect(store.taskLog(id).map(({ event }) => event.type)).toEqual(["xstate.init", "host.silent"]);
    expect(store.taskLog(id).at(-1)?.task.waitingFor?.kind).toBe("network");
  });

  test("is forgotten when it answers", async () => {
    const { runtime, store, id, call } = await startErrand();
    call?.run.setHostSilent(true);
    call?.run.setHostSilent(false);
    expect(runtime.task(id)?.waitingFor?.kind).toBe("host");
    expect(store.task(id)?.silent).toBeNull();
  });

  test("is forgotten with the end of the effect that could not reach it, and the log still replays", async () => {
    const { runtime, store, id, call } = await startErrand();
    call?.run.setHostSilent(true);
    call?.answer({ type: "host.failed", message: "closed" });
    await runtime.settled(id);
    const row = store.task(id);
    expect(row).toMatchObject({ silent: null, facts: { state: "AWAITING_RETRY", waitingFor: { kind: "person" } } });
    expect(row && replayTask(store, { errand }, row)).toMatchObject({ steps: 2, difference: null });
  });

  test("is forgotten by the effect's next life as soon as it answers there", async () => {
    const first = await startErrand();
    first.call?.run.setHostSilent(true);
    await first.close();
    worlds.pop();
    const { runtime, run } = createErrand();
    await runtime.recover();
    await Promise.resolve();
    expect(runtime.task(first.id)?.waitingFor?.kind).toBe("network");
    run.calls[0]?.run.setHostSilent(false);
    expect(runtime.task(first.id)?.waitingFor?.kind).toBe("host");
  });
});

describe("a parent", () => {
  test("is told when a child asks a person, goes on and ends, and of nothing in between", async () => {
    const work = createHeldHandler({ class: "local" });
    const registry = [household, helperTask, pointTask];
    const world = createWorld({ folder: folder.path, registry, handlers: { "helper.work": work } });
    worlds.push(world);
    const { runtime, store } = world;
    const input = { errands: ["wash", "cook"] };
    const { id } = runtime.start({ machine: "household", input, kind: "install", appId: "home" });
    await Promise.resolve();
    work.calls[0]?.answer({ type: "work.failed" });
    await runtime.settled(`${id}~wash`);
    runtime.send(`${id}~wash`, { type: "user.retry" });
    await Promise.resolve();
    work.calls[2]?.answer({ type: "work.done" });
    await runtime.settled(`${id}~wash`);
    const told = store.taskLog(id).filter(({ event }) => event.type === "child.changed");
    expect(told.map(({ event }) => [event["from"], event["state"]])).toEqual([
      ["wash", "AWAITING_RETRY"],
      ["wash", "RUNNING"],
      ["wash", "COMPLETED"],
    ]);
  });
});
