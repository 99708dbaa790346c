import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { advanceSteps, type TaskStep } from "../../../src/core/task/steps.ts";

const STEPS = ["A", "B", "C"].map((id) => ({ id, title: `Doing ${id}` }));
const advance = (
  before: readonly TaskStep[],
  at: string | null,
  now: string,
  state: "RUNNING" | "FAILED" | "COMPLETED" = "RUNNING",
) => advanceSteps(before, { steps: STEPS, at }, state, now);
const short = (steps: readonly TaskStep[]) =>
  steps.map(({ state, began = "", ended = "" }) => `${state} ${began}-${ended}`);

describe("the steps of a task", () => {
  it("are pending, then active since their turn came, then done; what was passed at once has no times", () => {
    const none = advance([], null, "0");
    expect(short(none)).toEqual(["pending -", "pending -", "pending -"]);
    const first = advance(none, "A", "1");
    expect(short(advance(first, "A", "2"))).toEqual(["active 1-", "pending -", "pending -"]);
    const third = advance(first, "C", "3");
    expect(short(third)).toEqual(["done 1-3", "done -", "active 3-"]);
    expect(short(advance(third, null, "4", "COMPLETED"))).toEqual(["done 1-3", "done -", "done 3-4"]);
  });

  it("stop where the task failed, and begin again with a retry", () => {
    const failed = advance(advance(advance([], "A", "1"), "B", "2"), null, "3", "FAILED");
    expect(short(failed)).toEqual(["done 1-2", "stopped 2-3", "pending -"]);
    expect(short(advance(failed, null, "4", "FAILED"))).toEqual(short(failed));
    expect(short(advance(failed, "B", "5"))).toEqual(["done 1-2", "active 5-", "pending -"]);
  });

  it("are one after the other whatever way the task takes: one is active at most, none before it waits", () => {
    const places = fc.array(fc.constantFrom("A", "B", "C", null), { maxLength: 8 });
    fc.assert(
      fc.property(places, (way) => {
        let steps: readonly TaskStep[] = [];
        for (const [at, place] of way.entries()) steps = advance(steps, place, String(at));
        const states = steps.map(({ state }) => state);
        const active = states.indexOf("active");
        expect(states.lastIndexOf("active")).toBe(active);
        expect(active === -1 ? null : STEPS[active]?.id).toBe(way.at(-1) ?? null);
        expect(states.slice(0, Math.max(0, active))).not.toContain("pending");
        for (const { began, ended, state } of steps) {
          expect([state, ended === undefined || Number(began) <= Number(ended)]).toEqual([state, true]);
          if (state === "active") expect([typeof began, ended]).toEqual(["string", undefined]);
        }
      }),
    );
  });
});
