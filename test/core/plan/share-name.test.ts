import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { deriveShareName, isShareName } from "../../../src/core/plan/share-name.ts";

const NONE: ReadonlySet<string> = new Set();

describe("the name of a directory's share", () => {
  test.each([
    ["/mnt/tank/Media/films", "films"],
    ["/mnt/tank/Media/My films", "My films"],
    ["/mnt/tank/Media/Films: new", "Films- new"],
    ["/mnt/tank/homes", "homes-2"],
    ["/mnt/tank/Global", "Global-2"],
    ["/mnt/tank/IPC$", "IPC$-2"],
    ["/mnt/tank/*", "-"],
    [`/mnt/tank/${"ü".repeat(90)}`, "ü".repeat(80)],
  ])("%s is %s", (path, name) => {
    expect(deriveShareName(path, NONE)).toBe(name);
  });

  test("gets a number if it is taken in any case, within the limit of characters", () => {
    expect(deriveShareName("/mnt/tank/Films", new Set(["films", "films-2"]))).toBe("Films-3");
    const long = "x".repeat(90);
    expect(deriveShareName(`/mnt/${long}`, new Set(["x".repeat(80)]))).toBe(`${"x".repeat(78)}-2`);
  });

  test("is one the host takes, whatever the path and the names that are taken", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.array(fc.string()), (segment, names) => {
        const path = `/mnt/tank/${segment}`;
        const taken = new Set([deriveShareName(path, NONE), ...names].map((name) => name.toLowerCase()));
        const name = deriveShareName(path, taken);
        expect(isShareName(name)).toBe(true);
        expect(taken.has(name.toLowerCase())).toBe(false);
      }),
    );
  });
});
