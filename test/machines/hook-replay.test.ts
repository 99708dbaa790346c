/** A hook's run that goes on after a restart, or can't: what its machine makes of it on the real runtime, and what people see. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { machines } from "../../machines/index.ts";
import type { JsonObject } from "../../src/core/json/json.ts";
import { createReplayDivergedFailure } from "../../src/core/task/task-failures.ts";
import type { TaskView } from "../../src/engine/api.ts";
import type { MachineEvent } from "../../src/engine/runtime/effect.ts";
import { Task } from "../../src/http/schemas/tasks.ts";
import { createHeldHandler, createTestFolder, createWorld, type World } from "../support/engine/runtime-world.ts";
import { createTestClock } from "../support/test-clock.ts";

/** A run's own time and the grace the machine adds to it, in ms. */
const [TIMEOUT_MS, GRACE_MS] = [60_000, 10_000];
const SECRET = "s3cret-token";
const SENT_AT = Date.UTC(2026, 0, 31, 12);
const request = { call: 7, method: "POST", url: "http://192.168.1.2:8096/users", at: SENT_AT };
const diverged = {
  type: "run.diverged",
  failure: { ...createReplayDivergedFailure("call 3 is another"), context: [] },
};

let folder: ReturnType<typeof createTestFolder>;
let world: World | null = null;

beforeEach(() => {
  folder = createTestFolder();
});

afterEach(async () => {
  await world?.close();
  world = null;
  folder.remove();
});

function open() {
  const held = {
    "hook.collectInputs": createHeldHandler({ class: "local" }),
    "hook.run": createHeldHandler({ class: "local" }),
    "hook.answer": createHeldHandler({ class: "local" }),
  };
  const registry = [machines["hook-task"], machines.checkpoint];
  const mask = () => (text: string) => text.replaceAll(SECRET, "***");
  const opened = createWorld({ folder: folder.path, registry, handlers: held, mask, clock: createTestClock() });
  world = opened;
  return { ...opened, held };
}

type Opened = ReturnType<typeof open>;

/** Effects begin, and their results are taken. */
const settled = () => new Promise(setImmediate);

/** What a watched hook is, and what its run says. */
async function begin(changes: JsonObject = {}) {
  const opened = open();
  const input = {
    appId: "demo",
    hookId: "setup",
    event: "userAction",
    title: "Set up",
    runningTitle: "Setting up",
    waitsForTurn: false,
    kind: "hook",
    conditional: false,
    onFailure: "ask",
    onInputTimeout: "stay",
    requiredBefore: false,
    retries: 0,
    timeoutMs: TIMEOUT_MS,
    inputDeadlineMs: 1_000,
    ...changes,
  };
  const { id } = opened.runtime.start({ machine: "hook-task", input, kind: "hook", appId: "demo" });
  await settled();
  opened.held["hook.collectInputs"].calls[0]?.answer({ type: "inputs.complete" });
  await settled();
  return { ...opened, id, run: runOf(opened, id) };
}

function runOf({ store, runtime, held, clock }: Opened, id: string) {
  const last = () => {
    const call = held["hook.run"].calls.at(-1);
    if (call === undefined) throw new Error("no run");
    return call;
  };
  return {
    says: (event: MachineEvent) => last().run.emit(event),
    async ends(event: MachineEvent) {
      last().answer(event);
      await settled();
    },
    view(): TaskView {
      const view = runtime.task(id);
      if (view === null) throw new Error(`no task "${id}"`);
      return view;
    },
    /** Running time left, in ms; null while none passes. */
    left(): number | null {
      const timer = store.timers(id).find((one) => one.id.includes("timeLeft"));
      return timer === undefined ? null : timer.dueAt - clock.now();
    },
    answers: () => held["hook.answer"].calls.map(({ params }) => params),
  };
}

const failedCheckpoint = (ranMs: number) => ({
  type: "script.failed",
  checkpoint: "one",
  message: null,
  failure: { code: "TASK_HOOK_FAILED", message: "no", context: [], retryable: true },
  ranMs,
});

describe("the running time of a hook", () => {
  it("adds up over restarts, and none passes until the script stands where it was", async () => {
    const { run, clock } = await begin();
    run.says({ type: "run.started" });
    expect(run.left()).toBe(TIMEOUT_MS + GRACE_MS);
    clock.advance(5_000);
    run.says({ type: "run.delayed" });
    expect(run.left()).toBeNull();
    clock.advance(1_000_000);
    run.says({ type: "run.resumed", ranMs: 4_000 });
    expect(run.left()).toBe(TIMEOUT_MS + GRACE_MS - 4_000);
    clock.advance(1_000);
    run.says({ type: "run.resumed", ranMs: 4_500 });
    expect(run.left(), "in the middle of the script").toBe(TIMEOUT_MS + GRACE_MS - 4_500);
    clock.advance(TIMEOUT_MS + GRACE_MS - 4_500);
    expect(run.view()).toMatchObject({ state: "AWAITING_RETRY", failure: { code: "TASK_HOOK_TIMEOUT" } });
  });

  it("is whole again where the script begins from its beginning", async () => {
    const { run, clock } = await begin();
    run.says({ type: "run.started" });
    clock.advance(5_000);
    run.says({ type: "run.started" });
    expect(run.left()).toBe(TIMEOUT_MS + GRACE_MS);
  });
});

describe("a checkpoint a person decides about", () => {
  it("is still asked about after the engine was started again and the script stands there", async () => {
    const { run, runtime, id } = await begin();
    run.says({ type: "run.started" });
    run.says({ type: "script.registered", checkpoint: "one", message: "One" });
    run.says(failedCheckpoint(1_000));
    const asked = run.view();
    expect(asked.waitingFor).toMatchObject({ kind: "person", detail: { checkpoint: "one" } });
    run.says({ type: "run.delayed" });
    run.says({ type: "run.resumed", ranMs: 1_000 });
    run.says({ type: "run.uncertain", request, ranMs: 1_000 });
    expect(run.view()).toMatchObject({
      revision: asked.revision,
      waitingFor: asked.waitingFor,
      failure: asked.failure,
    });
    expect(run.left()).toBeNull();
    runtime.send(id, { type: "user.retry" });
    expect(run.left()).toBe(TIMEOUT_MS + GRACE_MS - 1_000);
    await settled();
    expect(run.answers()).toEqual([{ choice: "retry", about: "checkpoint one" }]);
    run.says({ type: "run.uncertain", request, ranMs: 1_000 });
    expect(run.view().waitingFor, "the next question").toMatchObject({ detail: { request: { method: "POST" } } });
  });
});

describe("a request nobody knows the fate of", () => {
  it("is asked about with method, address and time, and the clock stands still", async () => {
    const { run } = await begin({ requiredBefore: true });
    run.says({ type: "run.uncertain", request, ranMs: 9_000 });
    const view = run.view();
    expect(view).toMatchObject({ state: "AWAITING_RETRY", label: "Set up" });
    expect(view.waitingFor).toMatchObject({
      kind: "person",
      detail: {
        choices: ["retry", "skip", "cancel"],
        request: { method: "POST", url: "http://192.168.1.2:8096/users", at: "2026-01-31T12:00:00.000Z" },
      },
    });
    expect(view.waitingFor?.detail, "giving the call up is not leaving the hook out").not.toHaveProperty("warning");
    expect(view.failure).toEqual({
      code: "TASK_REQUEST_UNCERTAIN",
      message:
        'nobody knows whether "POST http://192.168.1.2:8096/users", sent at 2026-01-31T12:00:00.000Z, arrived: the engine stopped before the answer came',
      context: [],
      retryable: true,
    });
    expect(run.left()).toBeNull();
    expect(Task.parse(view), "as it is served").toEqual(view);
  });

  it.each(["retry", "skip"] as const)("takes %s to the script, and asks about the next one then", async (choice) => {
    const { run, runtime, id } = await begin();
    run.says({ type: "run.started" });
    run.says({ type: "run.uncertain", request, ranMs: 9_000 });
    const first = run.view();
    run.says({ type: "run.uncertain", request: { ...request, call: 8, method: "PATCH" }, ranMs: 9_000 });
    expect(run.view(), "one at a time").toEqual(first);
    runtime.send(id, { type: `user.${choice}` });
    await settled();
    expect(run.answers()).toEqual([{ choice, about: `request 7 ${SENT_AT}` }]);
    expect(run.view()).toMatchObject({ state: "RUNNING", marks: [] });
    expect(run.view()).not.toHaveProperty("failure");
    expect(run.left(), "not until the script goes on").toBeNull();
    run.says({ type: "run.uncertain", request: { ...request, call: 8, method: "PATCH" }, ranMs: 9_000 });
    const next = run.view();
    expect(next.waitingFor).toMatchObject({ detail: { request: { method: "PATCH" } } });
    expect(next.revision).toBeGreaterThan(first.revision);
    runtime.send(id, { type: `user.${choice}` });
    run.says({ type: "run.resumed", ranMs: 9_000 });
    expect(run.left()).toBe(TIMEOUT_MS + GRACE_MS - 9_000);
    await run.ends({ type: "run.completed" });
    expect(run.view().state).toBe("COMPLETED");
  });

  it("ends with the hook that is cancelled", async () => {
    const { run, runtime, id, held } = await begin();
    run.says({ type: "run.uncertain", request, ranMs: 0 });
    runtime.send(id, { type: "user.cancel" });
    await settled();
    expect(run.view().state).toBe("CANCELLED");
    expect(held["hook.run"].calls[0]?.run.signal.aborted).toBe(true);
  });

  it("is asked about as before after restarts", async () => {
    const { run, id, close } = await begin();
    run.says({ type: "run.started" });
    run.says({ type: "run.uncertain", request, ranMs: 9_000 });
    const asked = run.view();
    await close();
    const again = open();
    await again.runtime.recover();
    await settled();
    const next = runOf(again, id);
    next.says({ type: "run.delayed" });
    next.says({ type: "run.resumed", ranMs: 9_000 });
    expect(next.view()).toMatchObject({
      revision: asked.revision,
      waitingFor: asked.waitingFor,
      failure: asked.failure,
    });
    expect(next.left()).toBeNull();
  });

  it("shows no secret of its address: not in the view, the log or the snapshot", async () => {
    const { run, store, id } = await begin();
    run.says({ type: "run.uncertain", request: { ...request, url: `http://demo/?key=${SECRET}` }, ranMs: 0 });
    expect(run.view().waitingFor).toMatchObject({ detail: { request: { url: "http://demo/?key=***" } } });
    expect(JSON.stringify([run.view(), store.task(id), store.taskLog(id)])).not.toContain(SECRET);
  });
});

describe("a script that goes another way when it is played back", () => {
  it.each(["ask", "skip"])(
    "waits for a person without automatic retries where a failure means %s",
    async (onFailure) => {
      const { run, runtime, id, held } = await begin({ onFailure, retries: 2 });
      run.says({ type: "run.delayed" });
      await run.ends(diverged);
      const view = run.view();
      expect(view).toMatchObject({ state: "AWAITING_RETRY", failure: { code: "TASK_REPLAY_DIVERGED" } });
      expect(view.failure?.message).toContain("call 3");
      expect(held["hook.run"].calls).toHaveLength(1);
      runtime.send(id, { type: "user.retry" });
      await settled();
      held["hook.collectInputs"].calls.at(-1)?.answer({ type: "inputs.complete" });
      await settled();
      expect(held["hook.run"].calls.map(({ params }) => params["attempt"])).toEqual([1, 1]);
      expect(held["hook.run"].calls[1]?.run.effectId).not.toBe(held["hook.run"].calls[0]?.run.effectId);
    },
  );

  it("is a failed link", async () => {
    const { run } = await begin({ kind: "link", onFailure: "fail", retries: 2 });
    await run.ends(diverged);
    expect(run.view()).toMatchObject({ state: "FAILED", failure: { code: "TASK_REPLAY_DIVERGED" } });
  });
});

describe("the mark notResumable", () => {
  it("is there once while the run is, and gone with a fresh one", async () => {
    const { run } = await begin();
    const outgrows = { type: "run.notResumable", reason: "more than 2000 calls" };
    run.says({ type: "run.started" });
    run.says(outgrows);
    run.says(outgrows);
    expect(run.view()).toMatchObject({ state: "RUNNING", marks: ["notResumable"] });
    expect(run.left(), "nothing else changes").toBe(TIMEOUT_MS + GRACE_MS);
    run.says({ type: "run.started" });
    expect(run.view().marks).toEqual([]);
    run.says(outgrows);
    await run.ends({ type: "run.completed" });
    expect(run.view()).toMatchObject({ state: "COMPLETED", marks: [] });
  });

  it("is gone with the next attempt", async () => {
    const { run } = await begin({ retries: 1 });
    run.says({ type: "run.started" });
    run.says({ type: "run.notResumable", reason: "more than 2000 calls" });
    await run.ends({ type: "run.failed", failure: failedCheckpoint(0).failure });
    expect(run.view()).toMatchObject({ state: "RUNNING", marks: [] });
  });
});
