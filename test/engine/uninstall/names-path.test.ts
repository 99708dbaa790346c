import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findNamedPaths } from "../../../src/engine/effects/files/names-path.ts";
import { cpuMs } from "../../support/held-thread.ts";
import { SLOWNESS } from "../../support/slowness.ts";

const PATH = "/mnt/tank/my films";
const namesPath = (text: string, path: string): boolean => findNamedPaths([text], [path]).has(path);

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

  it("of several, each that a text names, also where one is the end or the beginning of another", () => {
    const paths = ["/a/b", "/a/b/c/d", "/x/a/b", "/b/c", "/b/c/e"];
    expect([...findNamedPaths(["v=/x/a/b/c/d"], paths)]).toEqual(["/a/b", "/a/b/c/d", "/x/a/b", "/b/c"]);
    expect([...findNamedPaths(["/a/b/c:/data", "-v /b/c/"], paths)]).toEqual(["/a/b", "/a/b/c/d", "/b/c", "/b/c/e"]);
  });

  it("in time linear in the texts, however many paths there are", () => {
    const paths = Array.from({ length: 200 }, (_, index) => `/mnt/tank/${"a/".repeat(index)}b`);
    for (const part of ["/", "/.", "\\/", "/mnt/tank/", "/mnt/tank/a/a/a", "/a"]) {
      const text = part.repeat(Math.floor(1_000_000 / part.length));
      const before = cpuMs();
      findNamedPaths([text], paths);
      expect(cpuMs() - before).toBeLessThan(1_000 * SLOWNESS);
    }
  });
});
