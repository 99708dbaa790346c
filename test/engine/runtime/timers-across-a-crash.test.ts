import { expect } from "vitest";
import { setup } from "xstate";
import type { RegisteredMachine } from "../../../src/engine/runtime/effect.ts";
import { it, kill, open } from "../../support/engine/killed-runtimes.ts";
import { SINGLE_EFFECT } from "../../support/engine/runtime-test.ts";

it("a person's deadline counts the downtime", async () => {
  const first = open();
  const { clock } = first;
  const { id } = first.runtime.start(SINGLE_EFFECT);
  await expect.poll(() => first.run.calls.length).toBe(1);
  first.run.calls[0]?.answer({ type: "host.failed", message: "closed" });
  await first.runtime.settled(id);
  clock.advance(20_000);
  await kill(first);
  clock.advance(30_000);
  const { runtime } = open();
  await runtime.recover();
  clock.advance(9_999);
  expect(runtime.task(id)?.state).toBe("AWAITING_RETRY");
  clock.advance(1);
  expect(runtime.task(id)?.state).toBe("FAILED");
});

it("running time stands still while the engine is down", async () => {
  const first = open();
  const { clock } = first;
  const { id } = first.runtime.start(SINGLE_EFFECT);
  await expect.poll(() => first.run.calls.length).toBe(1);
  clock.advance(4_000);
  first.run.calls[0]?.run.emit({ type: "host.progress", percent: 1 });
  await kill(first);
  clock.advance(3_600_000);
  const second = open();
  await second.runtime.recover();
  clock.advance(5_999);
  expect(second.runtime.task(id)?.state).toBe("RUNNING");
  clock.advance(1);
  expect(second.runtime.task(id)?.state).toBe("AWAITING_RETRY");
});

it.each([
  ["forwards", 365 * 86_400_000, 0],
  ["backwards", -365 * 86_400_000, 60_000],
])("a clock stepped %s while down neither starves nor doubles a deadline", async (_, step, left) => {
  const first = open();
  const { clock } = first;
  const { id } = first.runtime.start(SINGLE_EFFECT);
  await expect.poll(() => first.run.calls.length).toBe(1);
  first.run.calls[0]?.answer({ type: "host.failed", message: "closed" });
  await first.runtime.settled(id);
  await kill(first);
  clock.step(step);
  const { runtime } = open();
  await runtime.recover();
  clock.advance(left);
  expect(runtime.task(id)?.state).toBe("FAILED");
});

it("a task keeps its running timers when a migration renames their state", async () => {
  const first = open({ machine: makeNap("ASLEEP") });
  const { clock } = first;
  const { id } = first.runtime.start({ machine: "nap", input: {}, kind: "update", appId: "shop" });
  clock.advance(20_000);
  await kill(first);
  const renames = { "xstate.after.sleep.nap.ASLEEP": "xstate.after.sleep.nap.DOZING" };
  const { runtime, store } = open({
    machine: makeNap("DOZING", {
      version: 2,
      migrate: { 1: (snapshot) => JSON.parse(JSON.stringify(snapshot).replace('"ASLEEP"', '"DOZING"')) },
      renamedTimers: { 1: renames },
    }),
  });
  await runtime.recover();
  expect(store.timers(id).map((timer) => timer.id)).toEqual(Object.values(renames));
  expect(store.task(id)?.version).toBe(2);
  clock.advance(39_999);
  expect(runtime.task(id)?.state).toBe("RUNNING");
  clock.advance(1);
  expect(runtime.task(id)?.state).toBe("COMPLETED");
});

/** A machine that sleeps a minute in the state. */
function makeNap(state: string, more: Partial<RegisteredMachine> = {}): RegisteredMachine {
  return {
    id: "nap",
    version: 1,
    machine: setup({ delays: { sleep: 60_000 } }).createMachine({
      id: "nap",
      initial: state,
      states: { [state]: { after: { sleep: "AWAKE" } }, AWAKE: { type: "final" } },
    }),
    migrate: {},
    view: ({ value }) => ({
      kind: "update",
      state: value === "AWAKE" ? "COMPLETED" : "RUNNING",
      label: String(value),
      progress: 0,
      marks: [],
    }),
    ...more,
  };
}
