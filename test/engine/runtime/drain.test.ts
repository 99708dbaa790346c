import { setImmediate as tick } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { EngineError } from "../../../src/core/codes/problems.ts";
import { createDrain } from "../../../src/engine/runtime/turn/drain.ts";
import { createTestClock } from "../../support/test-clock.ts";

/** A drain over a number of things; each takes `turnMs`, and `fault` says what the next one throws. */
function setUp(things: number, turnMs = 0) {
  const clock = createTestClock();
  const retries: unknown[] = [];
  const loud: string[] = [];
  const state = { left: things, dry: 0, fault: null as Error | null };
  const ignore = () => {};
  const drain = createDrain({
    clock,
    logger: {
      debug: (fields) => void retries.push(fields["retryMs"]),
      info: (_, message) => void loud.push(message),
      warn: ignore,
      error: (fields, message) => {
        loud.push(message);
        retries.push(fields["retryMs"]);
      },
    },
    takeNext: () => {
      if (state.fault !== null) throw state.fault;
      if (state.left === 0) return false;
      state.left -= 1;
      clock.advance(turnMs);
      // What a turn sets off asks for a drain again, in its midst.
      drain.run();
      return true;
    },
    ranDry: () => {
      state.dry += 1;
    },
  });
  return { clock, drain, retries, loud, state };
}

describe("a drain", () => {
  test("takes what waits one after another, then tells once that nothing does", () => {
    const { drain, state } = setUp(100);
    drain.run();
    expect(state).toMatchObject({ left: 0, dry: 1 });
  });

  test("lets other work of the process have its turn after 10 ms, and goes on by itself", async () => {
    const { drain, state } = setUp(5, 4);
    drain.run();
    expect(state).toMatchObject({ left: 2, dry: 0 });
    await tick();
    expect(state).toMatchObject({ left: 0, dry: 1 });
  });

  test("tries again after 1 s, 2 s and so on up to 30 s while the store refuses, and takes everything then", () => {
    const { clock, drain, retries, loud, state } = setUp(3);
    state.fault = new EngineError("STORE_FULL", "disk is full");
    drain.run();
    clock.advance(90_000);
    expect(retries).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
    expect(state).toMatchObject({ left: 3, dry: 0 });
    expect(loud).toEqual(["disk is full"]);
    state.fault = null;
    clock.advance(30_000);
    expect(state).toMatchObject({ left: 0, dry: 1 });
    expect(loud).toEqual(["disk is full", "the database takes turns again"]);
    state.fault = new EngineError("STORE_FULL", "disk is full");
    drain.run();
    expect(retries.at(-1)).toBe(1_000);
  });

  test("keeps one retry, however often it is asked meanwhile", () => {
    const { clock, drain, state } = setUp(1);
    state.fault = new EngineError("STORE_FULL", "disk is full");
    for (let asked = 0; asked < 3; asked += 1) drain.run();
    expect(clock.sleeping()).toBe(1);
  });

  test("throws on what is not the store's fault", () => {
    const { drain, state } = setUp(1);
    state.fault = new TypeError("a bug");
    expect(() => drain.run()).toThrow(TypeError);
  });

  test("takes nothing once it was stopped, and leaves no retry behind", () => {
    const { clock, drain, state } = setUp(2);
    state.fault = new EngineError("STORE_FULL", "disk is full");
    drain.run();
    drain.stop();
    state.fault = null;
    drain.run();
    clock.advance(60_000);
    expect(clock.sleeping()).toBe(0);
    expect(state).toMatchObject({ left: 2, dry: 0 });
  });
});
