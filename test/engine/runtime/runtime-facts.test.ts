/** What the runtime knows by itself and no machine has to: a host that is silent, a child that asks or has ended. */
import { describe, expect } from "vitest";
import { replayTask } from "../../../src/engine/replay/replay.ts";
import {
  it,
  openParentChild,
  openSingleEffect,
  PARENT_CHILD,
  SINGLE_EFFECT,
} from "../../support/engine/runtime-test.ts";
import { singleEffect } from "../../support/machines/single-effect-machine.ts";

async function startSingleEffect() {
  const world = openSingleEffect();
  const { id } = world.runtime.start(SINGLE_EFFECT);
  await Promise.resolve();
  return { ...world, id, call: world.run.calls[0] };
}

describe("a silent host", () => {
  it("is shown as a wait for the network and told to watchers, without a turn of the machine", async () => {
    const { runtime, store, id, call } = await startSingleEffect();
    const before = store.task(id);
    call?.run.setHostSilent(true);
    call?.run.setHostSilent(true);
    expect(runtime.task(id)?.waitingFor).toMatchObject({ kind: "network" });
    expect(store.task(id)).toMatchObject({ rev: before?.rev, snapshot: before?.snapshot, silent: call?.run.effectId });
    expect(store.taskLog(id).map(({ event }) => event.type)).toEqual(["xstate.init", "host.silent"]);
    expect(store.taskLog(id).at(-1)?.task.waitingFor?.kind).toBe("network");
  });

  it("is forgotten when it answers", async () => {
    const { runtime, store, id, call } = await startSingleEffect();
    call?.run.setHostSilent(true);
    call?.run.setHostSilent(false);
    expect(runtime.task(id)?.waitingFor?.kind).toBe("host");
    expect(store.task(id)?.silent).toBeNull();
  });

  it("is forgotten with the end of the effect that could not reach it, and the log still replays", async () => {
    const { runtime, store, id, call } = await startSingleEffect();
    call?.run.setHostSilent(true);
    call?.answer({ type: "host.failed", message: "closed" });
    await runtime.settled(id);
    const row = store.task(id);
    expect(row).toMatchObject({ silent: null, facts: { state: "AWAITING_RETRY", waitingFor: { kind: "person" } } });
    expect(row && replayTask(store, { "single-effect": singleEffect }, row)).toMatchObject({
      steps: 2,
      difference: null,
    });
  });

  it("is forgotten by the effect's next life as soon as it answers there", async () => {
    const first = await startSingleEffect();
    first.call?.run.setHostSilent(true);
    await first.close();
    const { runtime, run } = openSingleEffect();
    await runtime.recover();
    await Promise.resolve();
    expect(runtime.task(first.id)?.waitingFor?.kind).toBe("network");
    run.calls[0]?.run.setHostSilent(false);
    expect(runtime.task(first.id)?.waitingFor?.kind).toBe("host");
  });
});

describe("a parent", () => {
  it("is told when a child asks a person, goes on and ends, and of nothing in between", async () => {
    const { runtime, store, work } = openParentChild();
    const { id } = runtime.start(PARENT_CHILD);
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
