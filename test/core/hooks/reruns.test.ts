import { describe, expect, it } from "vitest";
import { isRerunBlocked, toTargetKey } from "../../../src/core/hooks/reruns.ts";
import { hookOf } from "../../support/scripts/scripts.ts";

describe("the target of a run", () => {
  it("the target of a run is the sorted list of its paths, each once", () => {
    expect(toTargetKey([])).toBeNull();
    expect(toTargetKey(["/b", "/a", "/b"])).toBe(toTargetKey(["/a", "/b"]));
    expect(toTargetKey(["/a,/b"])).not.toBe(toTargetKey(["/a", "/b"]));
  });
});

describe("rerun", () => {
  it.each([
    ["refuse", "COMPLETED", true],
    ["refuse", "FAILED", false],
    ["refuse", "DISMISSED", false],
    ["refuse", "SKIPPED", false],
    ["idempotent", "COMPLETED", false],
    ["converge", "COMPLETED", false],
  ] as const)("%s with an earlier %s run blocks: %s", (rerun, state, blocked) => {
    const hook = hookOf("demo", { rerun });
    expect(isRerunBlocked(hook, null, [{ target: null, state }])).toBe(blocked);
    expect(isRerunBlocked(hook, toTargetKey(["/a"]), [{ target: null, state }])).toBe(false);
  });
});
