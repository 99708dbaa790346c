import { copyFileSync, cpSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect } from "vitest";
import { restoreDatabase } from "../../../src/adapters/store-sqlite/backup/restore-database.ts";
import { makeEntry } from "../../../src/contract/store-rows.ts";
import type { Store } from "../../../src/engine/ports/store.ts";
import type { EffectHandler, Reconciled, RegisteredMachine } from "../../../src/engine/runtime/effect.ts";
import { createEmptyTurn } from "../../../src/engine/runtime/turn/turn.ts";
import { databaseFolder, interrupted, it, kill, open } from "../../support/engine/killed-runtimes.ts";
import { SINGLE_EFFECT } from "../../support/engine/runtime-test.ts";
import { createTestFolder, type World } from "../../support/engine/runtime-world.ts";
import { singleEffect } from "../../support/machines/single-effect-machine.ts";

describe("an effect that was open when the engine died", () => {
  it.each(["read", "idempotent", "local"] as const)("of class %s is performed again", async (effectClass) => {
    const id = await interrupted({ handler: { class: effectClass } });
    const { runtime, run } = open({ handler: { class: effectClass } });
    expect(await runtime.recover()).toEqual({ resumed: 1, quarantined: 0 });
    await expect.poll(() => run.calls.length).toBe(1);
    expect(run.calls[0]?.run).toMatchObject({ effectId: `${id}:1.0`, taskId: id, rootId: id });
    run.calls[0]?.answer({ type: "host.done", answer: "fresh" });
    expect(await runtime.settled(id)).toMatchObject({ state: "COMPLETED", marks: ["fresh"] });
  });

  const done = { type: "host.done", answer: "found" };
  it.each<[string, Reconciled, string[], number]>([
    ["done", { status: "done", event: done }, ["found"], 0],
    ["in_progress", { status: "in_progress", event: Promise.resolve(done) }, ["found"], 0],
    ["unknown", { status: "unknown", event: { type: "host.failed", message: "who knows" } }, ["who knows"], 0],
    ["not_started", { status: "not_started" }, ["fresh"], 1],
  ])("of class create is reconciled first: %s", async (_, found, marks, performed) => {
    const asked: string[] = [];
    const handler: Partial<EffectHandler> = {
      class: "create",
      async reconcile(_params, run) {
        asked.push(run.requestId);
        return found;
      },
    };
    const first = open({ handler });
    const { id } = first.runtime.start(SINGLE_EFFECT);
    await expect.poll(() => first.run.calls.length).toBe(1);
    first.run.calls[0]?.run.writeNote({ job: 7 });
    const sent = first.run.calls[0]?.run.requestId;
    await kill(first);

    const { runtime, run, store } = open({ handler });
    expect(store.openEffects(id)).toMatchObject([{ note: { job: 7 } }]);
    await runtime.recover();
    await expect.poll(() => asked.length).toBe(1);
    expect(asked).toEqual([sent]);
    if (performed > 0) {
      await expect.poll(() => run.calls.length).toBe(performed);
      run.calls[0]?.answer({ type: "host.done", answer: "fresh" });
    }
    expect((await runtime.settled(id)).marks).toEqual(marks);
    expect(run.calls).toHaveLength(performed);
  });

  it("of a task that has ended is still carried out", async () => {
    const first = open();
    const { id } = first.runtime.start(SINGLE_EFFECT);
    await expect.poll(() => first.run.calls.length).toBe(1);
    first.run.calls[0]?.answer({ type: "host.done", answer: "fresh" });
    await first.runtime.settled(id);
    await kill(first);
    const { runtime, store, report } = open();
    expect(store.openEffects(id).map(({ name }) => name)).toEqual(["work.report"]);
    await runtime.recover();
    await expect.poll(() => report.calls.length).toBe(1);
    report.calls[0]?.answer({ type: "reported" });
    await expect.poll(() => store.openEffects(id)).toEqual([]);
  });
});

describe("crash loops", () => {
  it("stop after five crashes without progress, and a person decides", async () => {
    const id = await interrupted();
    for (let life = 1; life < 5; life += 1) {
      const world = open();
      await world.runtime.recover();
      await expect.poll(() => world.run.calls.length).toBe(1);
      await kill(world);
    }
    const { runtime, run, store } = open();
    await runtime.recover();
    expect(await runtime.settled(id)).toMatchObject({ state: "AWAITING_RETRY", marks: ["TASK_CRASH_LOOP"] });
    expect(run.calls).toHaveLength(0);
    expect(store.openEffects(id)).toEqual([]);
    expect(runtime.send(id, { type: "user.retry" })).toMatchObject({ state: "RUNNING" });
    await expect.poll(() => run.calls.length).toBe(1);
  });

  it("count from one while the journal of a running effect grows from life to life", async () => {
    const id = await interrupted();
    const grow = (store: Store) => {
      store.writeJournals([{ ...makeEntry(id, store.journal(`${id}:1.0`).rows.length), lines: [] }]);
    };
    for (let life = 1; life < 8; life += 1) {
      const world = open();
      await world.runtime.recover();
      await expect.poll(() => world.run.calls.length).toBe(1);
      expect(world.store.task(id)?.crashCount).toBe(1);
      grow(world.store);
      await kill(world);
    }
    for (let life = 1; life < 5; life += 1) {
      const world = open();
      await world.runtime.recover();
      expect(world.store.task(id)?.crashCount).toBe(life);
      await kill(world);
    }
    const { runtime, store } = open();
    await runtime.recover();
    expect(await runtime.settled(id)).toMatchObject({ state: "AWAITING_RETRY", marks: ["TASK_CRASH_LOOP"] });
    expect(store.journal(`${id}:1.0`).rows).toEqual([]);
  });

  it("count what a clean stop left as no progress of the life after it", async () => {
    const id = await interrupted();
    const second = open();
    await second.runtime.recover();
    second.store.writeJournals([{ ...makeEntry(id, 0), lines: [] }]);
    await second.close();
    const third = open();
    await third.runtime.recover();
    await kill(third);
    const fourth = open();
    await fourth.runtime.recover();
    expect(fourth.store.task(id)?.crashCount).toBe(2);
  });

  it("count from the start again once the task got on, but not for what a running effect reports", async () => {
    const id = await interrupted();
    const second = open();
    await second.runtime.recover();
    expect(second.store.task(id)?.crashCount).toBe(1);
    await expect.poll(() => second.run.calls.length).toBe(1);
    second.run.calls[0]?.run.emit({ type: "host.progress", percent: 1 });
    expect(second.store.task(id)?.crashCount).toBe(1);
    second.run.calls[0]?.answer({ type: "host.failed", message: "closed" });
    await second.runtime.settled(id);
    expect(second.store.task(id)?.crashCount).toBe(0);
  });

  it("do not count clean stops", async () => {
    const first = open();
    const { id } = first.runtime.start(SINGLE_EFFECT);
    await first.close();
    const { runtime, store } = open();
    await runtime.recover();
    expect(store.task(id)?.crashCount).toBe(0);
  });
});

describe("a database that was rolled back", () => {
  const CREATE: Partial<EffectHandler> = { class: "create", reconcile: async () => ({ status: "not_started" }) };

  /** Puts a copy back that was made before the effect of a task was done; answers the last number of the log since. */
  async function putOlderBack(handler: Partial<EffectHandler> = CREATE) {
    const first = open({ handler });
    const { id } = first.runtime.start(SINGLE_EFFECT);
    await expect.poll(() => first.run.calls.length).toBe(1);
    await kill(first);
    const old = createTestFolder();
    cpSync(databaseFolder(), old.path, { recursive: true });

    const second = open({ handler });
    await second.runtime.recover();
    await expect.poll(() => second.run.calls.length).toBe(1);
    second.run.calls[0]?.answer({ type: "host.done", answer: "baked" });
    await second.runtime.settled(id);
    const last = second.store.lastSeq();
    await second.close();
    const folder = databaseFolder();
    for (const name of ["slipway.db", "slipway.db-wal"]) copyFileSync(join(old.path, name), join(folder, name));
    old.remove();
    return { id, last };
  }

  const LEFT_TO_A_PERSON = { state: "AWAITING_RETRY", marks: ["TASK_EFFECT_UNKNOWN"] };

  it.each<[string, Partial<EffectHandler>]>([
    ["create", CREATE],
    ["read", { class: "read" }],
    ["idempotent", { class: "idempotent" }],
    ["a script", { class: "local", reachesOthers: true }],
  ])("leaves every open effect to a person, and never repeats a log number: %s", async (_, handler) => {
    const { id, last } = await putOlderBack(handler);
    const third = open({ handler });
    expect(third.store.opened.rolledBack).toBe(true);
    await third.runtime.recover();
    expect(await third.runtime.settled(id)).toMatchObject(LEFT_TO_A_PERSON);
    expect(third.run.calls).toHaveLength(0);
    expect(third.store.taskLog(id).at(-1)?.seq).toBeGreaterThan(last);
  });

  it("does so too where the engine died before it came to one", async () => {
    const { id } = await putOlderBack();
    const third = open({ handler: CREATE });
    // the witness hears of any commit
    third.runtime.start({ ...SINGLE_EFFECT, appId: "other" });
    await kill(third);
    const fourth = open({ handler: CREATE });
    await fourth.runtime.recover();
    expect(await fourth.runtime.settled(id)).toMatchObject(LEFT_TO_A_PERSON);
    expect(fourth.run.calls.map(({ run }) => run.taskId)).not.toContain(id);
  });

  it("does so too where its task was quarantined then, and is released in a later life", async () => {
    const { id } = await putOlderBack();
    const third = open({ handler: CREATE, machine: { ...singleEffect, version: 2 } });
    expect(await third.runtime.recover()).toEqual({ resumed: 0, quarantined: 1 });
    await third.close();
    const fourth = open({ handler: CREATE });
    await fourth.runtime.recover();
    fourth.runtime.send(id, { type: "user.retry" });
    expect(await fourth.runtime.settled(id)).toMatchObject(LEFT_TO_A_PERSON);
    expect(fourth.run.calls).toHaveLength(0);
  });
});

describe("a backup that is put back", () => {
  const STOPPED = { type: "host.failed", message: "no" };

  /** A task that asks a person, and a backup of it after `change`, put back a day later. */
  async function putBack(change: (world: World, id: string) => void = () => {}) {
    const first = open();
    const { id } = first.runtime.start(SINGLE_EFFECT);
    await expect.poll(() => first.run.calls.length).toBe(1);
    first.run.calls[0]?.answer(STOPPED);
    expect(await first.runtime.settled(id)).toMatchObject({ state: "AWAITING_RETRY" });
    change(first, id);
    const [file, db] = ["backup", "slipway.db"].map((name) => join(databaseFolder(), name));
    await first.store.backup({ file: file ?? "" });
    await first.close();
    await restoreDatabase({ file: file ?? "", db: db ?? "", now: 0 });
    first.clock.advance(24 * 3_600_000);
    const second = open();
    return { id, ...second, recovered: await second.runtime.recover() };
  }

  it("gives a person the time again that was left", async () => {
    const { id, runtime, clock } = await putBack();
    clock.advance(59_000);
    expect(runtime.task(id)).toMatchObject({ state: "AWAITING_RETRY" });
    clock.advance(1_000);
    expect(runtime.task(id)).toMatchObject({ state: "FAILED" });
  });

  it("takes no mail that was on its way before a person says so, also behind that of a task that has ended", async () => {
    const { id, runtime, run, recovered } = await putBack(({ runtime, store, clock }, to) => {
      const ended = runtime.start({ ...SINGLE_EFFECT, appId: "other" });
      runtime.send(ended.id, { type: "user.cancel" });
      const mail = [ended.id, to].map((one) => ({ to: one, event: { type: "user.retry" } }));
      store.commit({ ...createEmptyTurn({ epoch: store.opened.epoch, now: clock.now() }), mail });
    });
    expect([recovered, run.calls.length]).toEqual([{ resumed: 0, quarantined: 1 }, 0]);
    expect(runtime.task(id)).toMatchObject({
      failure: { code: "TASK_EFFECT_UNKNOWN" },
      marks: ["no", "quarantined"],
    });
    runtime.send(id, { type: "user.retry" });
    await expect.poll(() => run.calls.length).toBe(1);
  });
});

describe("a snapshot of another version", () => {
  const renamed = (machine: RegisteredMachine): RegisteredMachine => ({ ...machine, version: 2 });

  it("is quarantined without a migration, shown, and never deleted", async () => {
    const id = await interrupted();
    const { runtime, store } = open({ machine: renamed(singleEffect) });
    expect(await runtime.recover()).toEqual({ resumed: 0, quarantined: 1 });
    expect(runtime.task(id)).toMatchObject({
      state: "RUNNING",
      marks: ["quarantined"],
      failure: { code: "TASK_QUARANTINED", message: 'machine "single-effect" has no migration from version 1' },
    });
    expect(store.task(id)?.snapshot).toContain("WORKING");
  });

  it("goes on with one", async () => {
    const id = await interrupted();
    const migrated: RegisteredMachine = {
      ...renamed(singleEffect),
      migrate: { 1: (snapshot) => JSON.parse(JSON.stringify(snapshot).replace('"bread"', '"cake"')) },
    };
    const { runtime, run, store } = open({ machine: migrated });
    expect(await runtime.recover()).toEqual({ resumed: 1, quarantined: 0 });
    await expect.poll(() => run.calls.length).toBe(1);
    run.calls[0]?.answer({ type: "host.done", answer: "fresh" });
    expect(await runtime.settled(id)).toMatchObject({ state: "COMPLETED", label: "cake" });
    expect(store.task(id)?.version).toBe(2);
  });

  it("is quarantined when it is newer, or when it does not parse", async () => {
    const id = await interrupted({ machine: renamed(singleEffect) });
    const second = open();
    expect(await second.runtime.recover()).toEqual({ resumed: 0, quarantined: 1 });
    expect(second.runtime.task(id)?.failure?.message).toBe(
      'snapshot of machine "single-effect" has version 2, this build knows up to 1',
    );
    await second.close();
    const db = new Database(join(databaseFolder(), "slipway.db"));
    db.prepare("UPDATE tasks SET snapshot = ?, version = 1, quarantine = NULL").run(
      '{"value":"GONE","status":"active"}',
    );
    db.close();
    const third = open();
    expect(await third.runtime.recover()).toEqual({ resumed: 0, quarantined: 1 });
    expect(third.runtime.task(id)?.failure?.message).toContain('does not fit machine "single-effect" 1');
    expect(third.runtime.send(id, { type: "user.cancel" })).toMatchObject({ state: "DISMISSED" });
  });
});
