import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { namesPath } from "../../../src/engine/effects/files/names-path.ts";

const PATH = "/mnt/tank/my films";

describe("a text names a path", () => {
  it.each([
    "/mnt/tank/my films",
    "/mnt/tank/my films/2024/a.mkv",
    "/mnt/tank/my films:/data:ro",
    "type=bind,source=/mnt/tank/my films,target=/data",
    "-v /mnt/tank/my films/:/data",
    JSON.stringify({ volumes: [{ source: PATH }] }),
    '{"source":"\\/mnt\\/tank\\/my films"}',
    "file:///mnt/tank/my films",
    "/mnt//tank/./my films/",
    // What holds it.
    "/mnt/tank",
    "/mnt/tank/:/data",
    '{"source":"/mnt/tank"}',
  ])("%j", (text) => expect(namesPath(text, PATH)).toBe(true));

  it.each([
    "",
    "/",
    "/mnt",
    "/mnt:/data",
    "/data",
    "/mnt/tank/my film",
    "/mnt/tank/my films2",
    "/mnt/tank2",
    "tank/my films",
  ])("not %j", (text) => expect(namesPath(text, PATH)).toBe(false));

  it("wherever it stands, whatever is in its names", () => {
    const name = fc.stringMatching(/^[^/]{1,8}$/u).filter((one) => one !== "." && one !== "..");
    const around = fc.constantFrom("", " ", '"', ":", "=", ",", "\n");
    fc.assert(
      fc.property(fc.array(name, { minLength: 2, maxLength: 4 }), around, around, (names, before, after) => {
        const path = `/${names.join("/")}`;
        expect(namesPath(`x${before}${path}${after}`, path)).toBe(true);
        expect(namesPath(`${before}${path}/below`, path)).toBe(true);
      }),
    );
  });
});
