import { expect, it } from "vitest";
import { createSystemRandomness } from "../../../src/engine/system/randomness.ts";

it("random strings are of A-Z, a-z and 0-9, each of them, and differ from call to call", () => {
  const { alphanumeric } = createSystemRandomness();
  const long = Array.from({ length: 20 }, () => alphanumeric(1024));
  for (const text of long) expect(text).toMatch(/^[A-Za-z0-9]{1024}$/);
  expect(new Set(long).size).toBe(20);
  expect(new Set(long.join("")).size).toBe(62);
});
