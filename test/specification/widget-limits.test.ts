/** How many slots a tile of each size has. */
import { expect, it } from "vitest";
import { diagnosticsOf } from "../support/scripts/diagnostics.ts";
import { widget } from "../support/scripts/rule-rows.ts";

it("a tile has no other number of slots than its size takes", () => {
  const isTaken = (size: string, count: number) => {
    const slots = Array.from({ length: count }, () => ({ type: "text", field: "title" }));
    return !diagnosticsOf(widget({ sizes: { [size]: { slots } } })).some((line) => line.includes("WIDGET_SLOTS_COUNT"));
  };
  const counts = [0, 1, 2, 3, 4, 5];
  expect(counts.filter((count) => isTaken("small", count))).toEqual([1, 2, 3]);
  expect(counts.filter((count) => isTaken("large", count))).toEqual([1, 2, 3, 4]);
});
