/** What a running engine does about secrets that were deleted. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { makeEntry } from "../../../src/contract/store-rows.ts";
import { EngineError } from "../../../src/core/codes/problems.ts";
import type { Store } from "../../../src/engine/ports/store.ts";
import { SINGLE_EFFECT } from "../../support/engine/runtime-test.ts";
import { createHeldHandler, createTestFolder, createWorld, type World } from "../../support/engine/runtime-world.ts";
import { findFilesWith, readJournalKeys } from "../../support/journal-traces.ts";
import { singleEffect } from "../../support/machines/single-effect-machine.ts";

let folder: ReturnType<typeof createTestFolder>;
let world: World;

beforeEach(() => {
  folder = createTestFolder();
});

afterEach(async () => {
  await world.close();
  folder.remove();
});

/** A running task whose effect has a secret in its journal. */
async function runWithSecret(wrap?: (store: Store) => Store) {
  const run = createHeldHandler({ class: "local" });
  const handlers = { "work.run": run, "work.report": createHeldHandler({ class: "local" }) };
  world = createWorld({ folder: folder.path, registry: [singleEffect], handlers, ...(wrap && { wrap }) });
  const { id } = world.runtime.start(SINGLE_EFFECT);
  await expect.poll(() => run.calls.length).toBe(1);
  world.store.writeJournals([makeEntry(id, 0, { text: "marker", bytes: Buffer.from("marker") })]);
  const traces = ["marker", ...readJournalKeys(folder.path)];
  expect([traces.length, findFilesWith(folder.path, traces)]).toEqual([2, ["slipway.db-wal"]]);
  return { id, traces, end: () => run.calls[0]?.answer({ type: "host.done", answer: "fresh" }) };
}

describe("a secret in the journal of an effect that has ended", () => {
  test("stands in no file of the database a second after nothing waits any more, while the engine runs", async () => {
    const { id, traces, end } = await runWithSecret();
    end();
    await world.runtime.settled(id);
    world.clock.advance(1_000);
    expect(findFilesWith(folder.path, traces)).toEqual([]);
  });

  test("is erased later where the store can't at first, asked for less and less often", async () => {
    const state = { asked: [] as number[], full: true };
    const { id, traces, end } = await runWithSecret((store) => ({
      ...store,
      eraseDeleted() {
        state.asked.push(world.clock.monotonic());
        if (state.full) throw new EngineError("STORE_FULL", "disk is full");
        store.eraseDeleted();
      },
    }));
    end();
    await world.runtime.settled(id);
    world.clock.advance(100_000);
    expect(state.asked).toEqual([1_000, 3_000, 7_000, 15_000, 31_000, 61_000, 91_000]);
    state.full = false;
    world.clock.advance(30_000);
    expect(findFilesWith(folder.path, traces)).toEqual([]);
    world.clock.advance(1_000_000);
    expect(state.asked).toHaveLength(8);
  });
});
