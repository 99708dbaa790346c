import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { EngineError } from "../../../src/core/codes/problems.ts";
import type { EngineEvent } from "../../../src/engine/api.ts";
import { HostError } from "../../../src/engine/host-error.ts";
import { replayTask } from "../../../src/engine/replay/replay.ts";
import type { StartRequest } from "../../../src/engine/runtime/runtime.ts";
import {
  createHeldHandler,
  createTestFolder,
  createWorld,
  type World,
  type WorldOptions,
} from "../../support/engine/runtime-world.ts";
import { faultOf } from "../../support/engine/scripted-world.ts";
import { helperTask, household, pointTask } from "../../support/machines/parent-child-machine.ts";
import { errand } from "../../support/machines/single-effect-machine.ts";

const ERRAND: StartRequest = {
  machine: "errand",
  input: { label: "bread" },
  kind: "update",
  appId: "shop",
  claim: "app:shop",
};
const HOUSEHOLD: StartRequest = {
  machine: "household",
  input: { errands: ["wash", "cook"] },
  kind: "install",
  appId: "home",
};

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

function createErrands(options: Partial<WorldOptions> = {}) {
  const run = createHeldHandler({ class: "local" });
  const report = createHeldHandler({ class: "local" });
  const handlers = { "errand.run": run, "errand.report": report };
  const world = createWorld({ folder: folder.path, registry: [errand], handlers, ...options });
  worlds.push(world);
  return { ...world, run, report };
}

function createHousehold() {
  const work = createHeldHandler({ class: "local" });
  const registry = [household, helperTask, pointTask];
  const world = createWorld({ folder: folder.path, registry, handlers: { "helper.work": work } });
  worlds.push(world);
  return { ...world, work };
}

async function until(world: World, reached: () => boolean): Promise<void> {
  const events = world.runtime.watch(world.store.lastSeq())[Symbol.asyncIterator]();
  while (!reached()) await events.next();
}

describe("a task", () => {
  test("runs its effect after the commit and ends with the result", async () => {
    const { runtime, store, run, report } = createErrands();
    const started = runtime.start(ERRAND);
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

  test("takes a person's event once and refuses it where the machine does not take it", async () => {
    const { runtime, run } = createErrands();
    const { id } = runtime.start(ERRAND);
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

  test("holds its claim until it ends, and takes it again only where nobody else has it", async () => {
    const { runtime, run, clock } = createErrands();
    const first = runtime.start(ERRAND);
    await Promise.resolve();
    expect(() => runtime.start(ERRAND)).toThrow(
      expect.objectContaining({ code: "TASK_CONFLICT", details: { taskId: first.id } }),
    );
    run.calls[0]?.answer({ type: "host.failed", message: "closed" });
    await runtime.settled(first.id);
    clock.advance(60_000);
    expect(runtime.task(first.id)?.state).toBe("FAILED");

    const second = runtime.start(ERRAND);
    expect(() => runtime.send(first.id, { type: "user.retry" })).toThrow(
      expect.objectContaining({ code: "TASK_CONFLICT", details: { taskId: second.id } }),
    );
    expect(runtime.task(first.id)?.state).toBe("FAILED");
    runtime.send(second.id, { type: "user.cancel" });
    expect(runtime.send(first.id, { type: "user.retry" })).toMatchObject({ state: "RUNNING" });
  });

  test("drops the result of an effect it cancelled", async () => {
    const { runtime, run, clock, store } = createErrands();
    const { id } = runtime.start(ERRAND);
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

  test("takes further events of a running effect, each a turn of its own", async () => {
    const { runtime, run } = createErrands();
    const { id } = runtime.start(ERRAND);
    await Promise.resolve();
    run.calls[0]?.run.emit({ type: "host.progress", percent: 10 });
    run.calls[0]?.run.emit({ type: "host.progress", percent: 20 });
    expect(runtime.task(id)?.marks).toEqual(["10%", "20%"]);
    run.calls[0]?.answer({ type: "host.done", answer: "fresh" });
    await runtime.settled(id);
    run.calls[0]?.run.emit({ type: "host.progress", percent: 30 });
    expect(runtime.task(id)?.marks).toEqual(["10%", "20%", "fresh"]);
  });

  test("shows since when and until when it waits", async () => {
    const { runtime, run, clock } = createErrands();
    const { id, created } = runtime.start(ERRAND);
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

  test("never shows a secret, whatever its machine was told", async () => {
    const { runtime, run, store } = createErrands({ mask: () => (text) => text.replaceAll("hunter22", "***") });
    const { id } = runtime.start(ERRAND);
    await Promise.resolve();
    run.calls[0]?.answer({ type: "host.failed", message: "wrong password hunter22" });
    expect((await runtime.settled(id)).marks).toEqual(["wrong password ***"]);
    expect(JSON.stringify([store.task(id), store.taskLog(id)])).not.toContain("hunter22");
  });
});

describe("a parent", () => {
  test("starts its children with the turn and hears from each by name", async () => {
    const { runtime, work } = createHousehold();
    const { id, children } = runtime.start(HOUSEHOLD);
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

  test("rests when only a person can go on, and not while another child works", async () => {
    const { runtime, work } = createHousehold();
    const { id } = runtime.start(HOUSEHOLD);
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

  test("shows checkpoints in the hook that registered them, in its own change", async () => {
    const world = createHousehold();
    const { runtime, work, store } = world;
    const { id } = runtime.start(HOUSEHOLD);
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

  test("is told when a child's claim is held by another task", async () => {
    const { runtime } = createHousehold();
    runtime.start(HOUSEHOLD);
    const second = runtime.start(HOUSEHOLD);
    expect(second.children).toEqual([]);
    expect(second.marks).toEqual(["wash REFUSED", "cook REFUSED"]);
  });

  test("logs with its reason what nobody can be told and what exists already", () => {
    const { runtime, store } = createHousehold();
    const { id } = runtime.start(HOUSEHOLD);
    runtime.send(id, { type: "user.tellNobody" });
    runtime.send(id, { type: "user.startAgain" });
    const dropped = store.taskLog(id).filter(({ type }) => type === "task.dropped");
    expect(dropped.map(({ reason }) => reason)).toEqual(['no task "nobody" to tell', 'child "wash" exists already']);
  });
});

describe("quarantine", () => {
  test("freezes a task whose machine breaks, tells its parent, and thaws on retry", async () => {
    const { runtime, work, store } = createHousehold();
    const { id } = runtime.start(HOUSEHOLD);
    await Promise.resolve();
    expect(() => runtime.send(`${id}~wash`, { type: "user.break" })).toThrow(
      expect.objectContaining({ code: "TASK_QUARANTINED" }),
    );
    expect(runtime.task(`${id}~wash`)).toMatchObject({
      marks: ["quarantined"],
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

  test("lets a person end a frozen task; its parent hears of it", async () => {
    const { runtime } = createHousehold();
    const { id } = runtime.start(HOUSEHOLD);
    await Promise.resolve();
    expect(() => runtime.send(`${id}~wash`, { type: "user.break" })).toThrow();
    expect(runtime.send(`${id}~wash`, { type: "user.dismiss" })).toMatchObject({ state: "DISMISSED" });
    expect(runtime.task(id)).toMatchObject({ state: "COMPLETED", marks: ["wash QUARANTINED", "wash DISMISSED"] });
  });

  test("takes a task whose effect breaks its contract out of the way", async () => {
    const { runtime, run } = createErrands();
    const { id } = runtime.start(ERRAND);
    await Promise.resolve();
    run.calls[0]?.break(new Error("no such thing"));
    expect((await runtime.settled(id)).failure).toMatchObject({
      code: "TASK_QUARANTINED",
      message: 'effect "errand.run" broke: no such thing',
    });
  });
});

describe("tasks that ended long ago", () => {
  test("keep their rows, lose their events, and are told of no more; a replay says so", () => {
    const { runtime, store } = createErrands();
    const ids = Array.from({ length: 202 }, () => {
      const { id } = runtime.start({ ...ERRAND, plan: { format: 1 } });
      runtime.send(id, { type: "user.cancel" });
      return id;
    });
    const [first = "", second = "", third = ""] = ids;
    expect(store.taskLog(first)).toEqual([]);
    expect(store.taskLog(third).length).toBeGreaterThan(0);
    expect(store.logAfter(0, 1)[0]?.taskId).toBe(third);
    expect(runtime.task(second)?.state).toBe("CANCELLED");
    const row = store.task(second);
    expect(row && replayTask(store, { errand }, row).difference).toMatchObject({
      what: "fault",
      replayed: "the task ended long ago and its events are no longer kept",
    });
  });
});

describe("an effect whose question the host refuses", () => {
  test("stays open and is taken up again a little later", async () => {
    const { runtime, run, clock, log } = createErrands();
    const { id } = runtime.start(ERRAND);
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
  test("stops effects, rejects who waits, and leaves the rest to the next life", async () => {
    const first = createErrands();
    const { id } = first.runtime.start(ERRAND);
    await Promise.resolve();
    const waiting = expect(first.runtime.settled(id)).rejects.toMatchObject({ code: "TASK_ENGINE_CLOSED" });
    const closing = first.close();
    expect(first.run.calls[0]?.run.signal.aborted).toBe(true);
    first.run.calls[0]?.answer({ type: "host.done", answer: "too late" });
    await closing;
    await waiting;
    expect(() => first.runtime.start(ERRAND)).toThrow(expect.objectContaining({ code: "TASK_ENGINE_CLOSED" }));

    const second = createErrands();
    expect(second.runtime.task(id)?.state).toBe("RUNNING");
    expect(await second.runtime.recover()).toEqual({ resumed: 1, quarantined: 0 });
    await expect.poll(() => second.run.calls.length).toBe(1);
    second.run.calls[0]?.answer({ type: "host.done", answer: "fresh" });
    expect((await second.runtime.settled(id)).state).toBe("COMPLETED");
  });

  test("gives up on a handler that does not end after 5 s", async () => {
    const stubborn = { class: "local", perform: () => new Promise<never>(() => {}) } as const;
    const { runtime, clock, close } = createErrands({ handlers: { "errand.run": stubborn } });
    runtime.start(ERRAND);
    await Promise.resolve();
    const closed = close();
    clock.advance(5_000);
    await closed;
  });
});

describe("changes", () => {
  test("are told once, in order, with the task as it was after each", async () => {
    const { runtime, run } = createErrands();
    const { id } = runtime.start(ERRAND);
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
  test("delays a result until it works again, refuses clicks meanwhile, and keeps serving reads", async () => {
    let full = false;
    const { runtime, run, clock, log } = createErrands({
      wrap: (store) => ({
        ...store,
        commit(turn) {
          if (full) throw new EngineError("STORE_FULL", "disk is full");
          return store.commit(turn);
        },
      }),
    });
    const { id } = runtime.start(ERRAND);
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
