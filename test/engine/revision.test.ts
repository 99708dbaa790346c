/** What was shown is the same whatever order its keys came in. */
import { expect, it } from "vitest";
import { createRevision } from "../../src/engine/revision.ts";

it("a revision depends on no order of keys, however deep, but on the order of lists and on each value", () => {
  const revision = createRevision({ b: [{ y: 1, x: null }, 2], a: { d: "e", c: undefined } });
  expect(createRevision({ a: { c: undefined, d: "e" }, b: [{ x: null, y: 1 }, 2] })).toBe(revision);
  const others = [
    { a: { d: "e" }, b: [2, { x: null, y: 1 }] },
    { a: { d: "e" }, b: [{ x: null, y: 2 }, 2] },
    { a: { d: "e", c: null }, b: [{ x: null, y: 1 }, 2] },
  ];
  for (const other of others) expect(createRevision(other)).not.toBe(revision);
});
