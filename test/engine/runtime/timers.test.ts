import { describe, expect, test } from "vitest";
import type { TimerRow } from "../../../src/engine/ports/store-rows.ts";
import { Timers } from "../../../src/engine/runtime/timers.ts";
import { createTestClock } from "../../support/test-clock.ts";

function setUp() {
  const clock = createTestClock();
  const fired: [string, number][] = [];
  const beats: number[] = [];
  const timers = new Timers({
    clock,
    fire: ({ id }) => fired.push([id, clock.monotonic()]),
    heartbeat: (at) => beats.push(at),
  });
  const timer = (id: string, delay: number, active = false): TimerRow => ({
    taskId: "t",
    id,
    event: { type: id },
    dueAt: clock.now() + delay,
    delay,
    active,
  });
  return { clock, timers, fired, beats, timer };
}

describe("timers", () => {
  test("fire when due, in order of their due times", () => {
    const { clock, timers, fired, timer } = setUp();
    timers.set([timer("c", 300), timer("a", 100)]);
    timers.set([timer("b", 200)]);
    clock.advance(1_000);
    expect(fired).toEqual([
      ["a", 100],
      ["b", 200],
      ["c", 300],
    ]);
    expect(clock.sleeping()).toBe(0);
  });

  test("do not fire once cleared, and start anew when set again", () => {
    const { clock, timers, fired, timer } = setUp();
    timers.set([timer("a", 100), timer("b", 100)]);
    timers.clear([{ taskId: "t", id: "a" }]);
    clock.advance(50);
    timers.set([timer("b", 100)]);
    clock.advance(1_000);
    expect(fired).toEqual([["b", 150]]);
  });

  test.each([3_600_000, -3_600_000])("are not moved by a step of the wall clock of %d ms", (step) => {
    const { clock, timers, fired, timer } = setUp();
    timers.set([timer("a", 90_000)]);
    clock.step(step);
    clock.advance(90_000);
    expect(fired).toEqual([["a", 90_000]]);
  });

  test("show a sign of life at least once a minute while running time is measured", () => {
    const { clock, timers, beats, timer } = setUp();
    timers.set([timer("deadline", 600_000)]);
    clock.advance(180_000);
    expect(beats).toEqual([]);
    timers.set([timer("work", 300_000, true)]);
    clock.advance(180_000);
    expect(beats.length).toBeGreaterThanOrEqual(3);
  });

  test("fire nothing after stop", () => {
    const { clock, timers, fired, timer } = setUp();
    timers.set([timer("a", 10)]);
    timers.stop();
    clock.advance(1_000);
    expect(fired).toEqual([]);
    expect(clock.sleeping()).toBe(0);
  });
});
