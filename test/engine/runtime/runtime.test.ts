import { describe, expect } from "vitest";
import { makeEntry } from "../../../src/contract/store-rows.ts";
import { EngineError } from "../../../src/core/codes/problems.ts";
import type { EngineEvent } from "../../../src/engine/api.ts";
import { HostError } from "../../../src/engine/host-error.ts";
import type { Store } from "../../../src/engine/ports/store.ts";
import { replayTask } from "../../../src/engine/replay/replay.ts";
import type { StartRequest } from "../../../src/engine/runtime/runtime.ts";
import {
  it,
  openParentChild,
  openSingleEffect,
  PARENT_CHILD,
  SINGLE_EFFECT,
} from "../../support/engine/runtime-test.ts";
import type { World } from "../../support/engine/runtime-world.ts";
import { faultOf } from "../../support/engine/scripted-world.ts";
import { singleEffect } from "../../support/machines/single-effect-machine.ts";

const CLAIMED: StartRequest = { ...SINGLE_EFFECT, claim: "app:shop" };

async function until(world: World, reached: () => boolean): Promise<void> {
  const events = world.runtime.watch(world.store.lastSeq())[Symbol.asyncIterator]();
  while (!reached()) await events.next();
}

describe("a task", () => {
  it("runs its effect after the commit and ends with the result", async () => {
    const { runtime, store, run, report } = openSingleEffect();
    const started = runtime.start(CLAIMED);
    expect(started).toMatchObject({ state: "RUNNING", label: "bread", progress: 50, waitingFor: { kind: "host" } });
    expect(run.calls).toHaveLength(0);
    expect(store.effect(`${started.id}:1.0`)).toMatchObject({ state: "intent", params: { label: "bread" } });
    await Promise.resolve();
    expect(run.calls.map(({ run: { effectId } }) => effectId)).toEqual([`${started.id}:1.0`]);

    run.calls[0]?.answer({ type: "host.done", answer: "fresh" });
    const ended = await runtime.settled(started.id);
    expect(ended).toMatchObject({ state: "COMPLETED", progress: 100, marks: ["fresh"] });
    expect(store.effect(`${started.id}:1.0`)?.state).toBe("done");
    expect(store.timers(started.id)).toEqual([]);
    expect(report.calls).toHaveLength(1);
  });

  it("takes a person's event once and refuses it where the machine does not take it", async () => {
    const { runtime, run } = openSingleEffect();
    const { id } = runtime.start(CLAIMED);
    expect(() => runtime.send(id, { type: "user.retry" })).toThrow(
      expect.objectContaining({ code: "TASK_REFUSED", details: { taskId: id, state: "RUNNING" } }),
    );
    expect(runtime.send(id, { type: "user.cancel" })).toMatchObject({ state: "CANCELLED" });
    await Promise.resolve();
    expect(run.calls).toHaveLength(0);
    expect(() => runtime.send("nobody", { type: "user.retry" })).toThrow(
      expect.objectContaining({ code: "TASK_UNKNOWN" }),
    );
  });

  it("holds its claim until it ends, and takes it again only where nobody else has it", async () => {
    const { runtime, run, clock } = openSingleEffect();
    const first = runtime.start(CLAIMED);
    await Promise.resolve();
    expect(() => runtime.start(CLAIMED)).toThrow(
      expect.objectContaining({ code: "TASK_CONFLICT", details: { taskId: first.id } }),
    );
    run.calls[0]?.answer({ type: "host.failed", message: "closed" });
    await runtime.settled(first.id);
    clock.advance(60_000);
    expect(runtime.task(first.id)?.state).toBe("FAILED");

    const second = runtime.start(CLAIMED);
    expect(() => runtime.send(first.id, { type: "user.retry" })).toThrow(
      expect.objectContaining({ code: "TASK_CONFLICT", details: { taskId: second.id } }),
    );
    expect(runtime.task(first.id)?.state).toBe("FAILED");
    runtime.send(second.id, { type: "user.cancel" });
    expect(runtime.send(first.id, { type: "user.retry" })).toMatchObject({ state: "RUNNING" });
  });

  it("drops the result of an effect it cancelled", async () => {
    const { runtime, run, clock, store } = openSingleEffect();
    const { id } = runtime.start(CLAIMED);
    await Promise.resolve();
    clock.advance(10_000);
    expect(runtime.task(id)?.state).toBe("AWAITING_RETRY");
    expect(run.calls[0]?.run.signal.aborted).toBe(true);
    run.calls[0]?.answer({ type: "host.done", answer: "late" });
    runtime.send(id, { type: "user.retry" });
    await Promise.resolve();
    run.calls[1]?.answer({ type: "host.done", answer: "fresh" });
    expect(await runtime.settled(id)).toMatchObject({ state: "COMPLETED", marks: ["fresh"] });
    expect(store.effect(`${id}:1.0`)?.state).toBe("cancelled");
  });

  it("takes further events of a running effect, each a turn of its own", async () => {
    const { runtime, run } = openSingleEffect();
    const { id } = runtime.start(CLAIMED);
    await Promise.resolve();
    run.calls[0]?.run.emit({ type: "host.progress", percent: 10 });
    run.calls[0]?.run.emit({ type: "host.progress", percent: 20 });
    expect(runtime.task(id)?.marks).toEqual(["10%", "20%"]);
    run.calls[0]?.answer({ type: "host.done", answer: "fresh" });
    await runtime.settled(id);
    run.calls[0]?.run.emit({ type: "host.progress", percent: 30 });
    expect(runtime.task(id)?.marks).toEqual(["10%", "20%", "fresh"]);
  });

  it("drops an event whose journal does not go on, and goes on itself", async () => {
    const { runtime, run } = openSingleEffect();
    const { id } = runtime.start(CLAIMED);
    await Promise.resolve();
    const effect = run.calls[0]?.run;
    const settled: boolean[] = [];
    const write = makeEntry(id, 5);
    effect?.emit({ type: "host.progress", percent: 10 }, { write, settled: (committed) => settled.push(committed) });
    effect?.emit({ type: "host.progress", percent: 20 });
    expect([settled, runtime.task(id)?.marks]).toEqual([[false], ["20%"]]);
  });

  it("tells a run to stop before it says that an event of it is not on disk", async () => {
    let isFull = false;
    const wrap = (store: Store): Store => ({
      ...store,
      commit(turn) {
        if (isFull) throw new EngineError("STORE_FULL", "no room");
        return store.commit(turn);
      },
    });
    const { runtime, run } = openSingleEffect({ wrap });
    const { id } = runtime.start(CLAIMED);
    await Promise.resolve();
    const effect = run.calls[0]?.run;
    isFull = true;
    const told: unknown[] = [];
    const settled = (committed: boolean) => told.push([committed, effect?.signal.aborted]);
    effect?.emit({ type: "host.progress", percent: 10 }, { write: makeEntry(id, 0), settled });
    await runtime.close();
    expect(told).toEqual([[false, true]]);
  });

  it("shows since when and until when it waits", async () => {
    const { runtime, run, clock } = openSingleEffect();
    const { id, created } = runtime.start(CLAIMED);
    await Promise.resolve();
    clock.advance(5_000);
    run.calls[0]?.answer({ type: "host.failed", message: "closed" });
    const { waitingFor } = await runtime.settled(id);
    const start = Date.parse(created);
    expect(waitingFor).toEqual({
      kind: "person",
      since: new Date(start + 5_000).toISOString(),
      deadline: new Date(start + 65_000).toISOString(),
      detail: { choices: ["retry", "skip", "cancel"] },
    });
  });

  it("never shows a secret, whatever its machine was told", async () => {
    const { runtime, run, store } = openSingleEffect({ mask: () => (text) => text.replaceAll("hunter22", "***") });
    const { id } = runtime.start(CLAIMED);
    await Promise.resolve();
    run.calls[0]?.answer({ type: "host.failed", message: "wrong password hunter22" });
    expect((await runtime.settled(id)).marks).toEqual(["wrong password ***"]);
    expect(JSON.stringify([store.task(id), store.taskLog(id)])).not.toContain("hunter22");
  });
});

describe("a parent", () => {
  it("starts its children with the turn and hears from each by name", async () => {
    const { runtime, work } = openParentChild();
    const { id, children } = runtime.start(PARENT_CHILD);
    expect(children.map(({ id, label, state }) => [id, label, state])).toEqual([
      [`${id}~wash`, "help with wash", "RUNNING"],
      [`${id}~cook`, "help with cook", "RUNNING"],
    ]);
    await Promise.resolve();
    work.calls[1]?.answer({ type: "work.done" });
    work.calls[0]?.answer({ type: "work.done" });
    const ended = await runtime.settled(id);
    expect(ended).toMatchObject({ state: "COMPLETED", marks: ["cook", "wash"] });
    expect(ended.children.map(({ state }) => state)).toEqual(["COMPLETED", "COMPLETED"]);
  });

  it("rests when only a person can go on, and not while another child works", async () => {
    const { runtime, work } = openParentChild();
    const { id } = runtime.start(PARENT_CHILD);
    await Promise.resolve();
    let rested = false;
    const settled = runtime.settled(id).then((view) => {
      rested = true;
      return view;
    });
    work.calls[0]?.answer({ type: "work.failed" });
    await runtime.settled(`${id}~wash`);
    expect(rested).toBe(false);
    work.calls[1]?.answer({ type: "work.done" });
    expect((await settled).children.map(({ state }) => state)).toEqual(["AWAITING_RETRY", "COMPLETED"]);
  });

  it("shows checkpoints in the hook that registered them, in its own change", async () => {
    const world = openParentChild();
    const { runtime, work, store } = world;
    const { id } = runtime.start(PARENT_CHILD);
    await Promise.resolve();
    work.calls[0]?.run.emit({ type: "work.point", id: "a/b ~ c" });
    await until(world, () => store.nextMail() === null);
    const hook = runtime.task(`${id}~wash`);
    expect(hook).toMatchObject({
      children: [],
      checkpoints: [{ id: "a/b ~ c", message: "point a/b ~ c", state: "REGISTERED" }],
    });
    const change = store.logAfter(0, 1_000).find(({ event }) => event.type === "work.point");
    expect(change?.task.checkpoints).toEqual(hook?.checkpoints);
  });

  it("is told when a child's claim is held by another task", async () => {
    const { runtime } = openParentChild();
    runtime.start(PARENT_CHILD);
    const second = runtime.start(PARENT_CHILD);
    expect(second.children).toEqual([]);
    expect(second.marks).toEqual(["wash REFUSED", "cook REFUSED"]);
  });

  it("logs with its reason what nobody can be told and what exists already", () => {
    const { runtime, store } = openParentChild();
    const { id } = runtime.start(PARENT_CHILD);
    runtime.send(id, { type: "user.tellNobody" });
    runtime.send(id, { type: "user.startAgain" });
    const dropped = store.taskLog(id).filter(({ type }) => type === "task.dropped");
    expect(dropped.map(({ reason }) => reason)).toEqual(['no task "nobody" to tell', 'child "wash" exists already']);
  });
});

describe("quarantine", () => {
  it("freezes a task whose machine breaks, tells its parent, and thaws on retry", async () => {
    const { runtime, work, store } = openParentChild();
    const { id } = runtime.start(PARENT_CHILD);
    await Promise.resolve();
    expect(() => runtime.send(`${id}~wash`, { type: "user.break" })).toThrow(
      expect.objectContaining({ code: "TASK_QUARANTINED" }),
    );
    expect(runtime.task(`${id}~wash`)).toMatchObject({
      marks: ["quarantined"],
      remarks: [{ code: "quarantined" }],
      commands: ["retry", "cancel", "dismiss"],
      failure: { code: "TASK_QUARANTINED", message: "helper is broken" },
    });
    work.calls[0]?.answer({ type: "work.done" });
    work.calls[1]?.answer({ type: "work.done" });
    expect((await runtime.settled(id)).marks).toEqual(["cook", "wash QUARANTINED"]);
    expect(store.openEffects(`${id}~wash`)).toHaveLength(1);

    runtime.send(`${id}~wash`, { type: "user.retry" });
    await expect.poll(() => work.calls.length).toBe(3);
    work.calls[2]?.answer({ type: "work.done" });
    expect(await runtime.settled(id)).toMatchObject({ state: "COMPLETED" });
  });

  it("lets a person end a quarantined task; its parent hears of it", async () => {
    const { runtime } = openParentChild();
    const { id } = runtime.start(PARENT_CHILD);
    await Promise.resolve();
    expect(() => runtime.send(`${id}~wash`, { type: "user.break" })).toThrow();
    expect(runtime.send(`${id}~wash`, { type: "user.dismiss" })).toMatchObject({ state: "DISMISSED" });
    expect(runtime.task(id)).toMatchObject({ state: "COMPLETED", marks: ["wash QUARANTINED", "wash DISMISSED"] });
  });

  it("takes a task whose effect breaks its contract out of the way", async () => {
    const { runtime, run } = openSingleEffect();
    const { id } = runtime.start(CLAIMED);
    await Promise.resolve();
    run.calls[0]?.break(new Error("no such thing"));
    expect((await runtime.settled(id)).failure).toMatchObject({
      code: "TASK_QUARANTINED",
      message: 'effect "work.run" broke: no such thing',
    });
  });
});

describe("tasks that ended long ago", () => {
  it("keep their rows, lose their events, and are told of no more; a replay says so", () => {
    const { runtime, store } = openSingleEffect();
    const ids = Array.from({ length: 202 }, () => {
      const { id } = runtime.start({ ...CLAIMED, plan: { format: 1 } });
      runtime.send(id, { type: "user.cancel" });
      return id;
    });
    const [first = "", second = "", third = ""] = ids;
    expect(store.taskLog(first)).toEqual([]);
    expect(store.taskLog(third).length).toBeGreaterThan(0);
    expect(store.logAfter(0, 1)[0]?.taskId).toBe(third);
    expect(runtime.task(second)?.state).toBe("CANCELLED");
    const row = store.task(second);
    expect(row && replayTask(store, { "single-effect": singleEffect }, row).difference).toMatchObject({
      what: "fault",
      replayed: "the task ended long ago and its events are no longer kept",
    });
  });
});

describe("an effect whose question the host refuses", () => {
  it("stays open and is taken up again a little later", async () => {
    const { runtime, run, clock, log } = openSingleEffect();
    const { id } = runtime.start(CLAIMED);
    await expect.poll(() => run.calls.length).toBe(1);
    run.calls[0]?.break(new HostError(faultOf("HOST_CALL_FAILED", "[EFAULT] no"), "yes"));
    await expect.poll(() => log.some(({ fields }) => fields["code"] === "HOST_CALL_FAILED")).toBe(true);
    expect(runtime.task(id)?.state).toBe("RUNNING");
    clock.advance(5_000);
    await expect.poll(() => run.calls.length).toBe(2);
    run.calls[1]?.answer({ type: "host.done", answer: "fresh" });
    expect((await runtime.settled(id)).state).toBe("COMPLETED");
  });
});

describe("close", () => {
  it("stops effects, rejects who waits, and leaves the rest to the next life", async () => {
    const first = openSingleEffect();
    const { id } = first.runtime.start(CLAIMED);
    await Promise.resolve();
    const waiting = expect(first.runtime.settled(id)).rejects.toMatchObject({ code: "TASK_ENGINE_CLOSED" });
    const closing = first.close();
    expect(first.run.calls[0]?.run.signal.aborted).toBe(true);
    first.run.calls[0]?.answer({ type: "host.done", answer: "too late" });
    await closing;
    await waiting;
    expect(() => first.runtime.start(CLAIMED)).toThrow(expect.objectContaining({ code: "TASK_ENGINE_CLOSED" }));

    const second = openSingleEffect();
    expect(second.runtime.task(id)?.state).toBe("RUNNING");
    expect(await second.runtime.recover()).toEqual({ resumed: 1, quarantined: 0 });
    await expect.poll(() => second.run.calls.length).toBe(1);
    second.run.calls[0]?.answer({ type: "host.done", answer: "fresh" });
    expect((await second.runtime.settled(id)).state).toBe("COMPLETED");
  });

  it("gives up on a handler that does not end after 5 s", async () => {
    const stubborn = { class: "local", perform: () => new Promise<never>(() => {}) } as const;
    const { runtime, clock, close } = openSingleEffect({ handlers: { "work.run": stubborn } });
    runtime.start(CLAIMED);
    await Promise.resolve();
    const closed = close();
    clock.advance(5_000);
    await closed;
  });
});

describe("changes", () => {
  it("are told once, in order, with the task as it was after each", async () => {
    const { runtime, run } = openSingleEffect();
    const { id } = runtime.start(CLAIMED);
    await Promise.resolve();
    run.calls[0]?.answer({ type: "host.done", answer: "fresh" });
    await runtime.settled(id);
    const seen: EngineEvent[] = [];
    for await (const event of runtime.watch(0)) {
      seen.push(event);
      if (event.task.state === "COMPLETED") break;
    }
    expect(seen.map(({ seq, type, task }) => [seq, type, task.state])).toEqual([
      [1, "task.created", "RUNNING"],
      [2, "task.updated", "COMPLETED"],
    ]);
  });
});

describe("a store that refuses writes", () => {
  it("delays a result until it works again, refuses decisions meanwhile, and keeps serving reads", async () => {
    let full = false;
    const { runtime, run, clock, log } = openSingleEffect({
      wrap: (store) => ({
        ...store,
        commit(turn) {
          if (full) throw new EngineError("STORE_FULL", "disk is full");
          return store.commit(turn);
        },
      }),
    });
    const { id } = runtime.start(CLAIMED);
    await expect.poll(() => run.calls.length).toBe(1);
    full = true;
    run.calls[0]?.answer({ type: "host.done", answer: "fresh" });
    await expect.poll(() => log.some(({ fields }) => fields["code"] === "STORE_FULL")).toBe(true);
    expect(() => runtime.send(id, { type: "user.cancel" })).toThrow(expect.objectContaining({ code: "STORE_FULL" }));
    clock.advance(3_000);
    expect(runtime.task(id)?.state).toBe("RUNNING");
    full = false;
    clock.advance(4_000);
    expect(runtime.task(id)).toMatchObject({ state: "COMPLETED", marks: ["fresh"] });
  });
});
