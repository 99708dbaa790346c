/** Removing a folder whose content is arranged by whoever wrote it. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { removeFolder } from "../../../src/adapters/remove-folder.ts";
import type { FolderRemoval } from "../../../src/engine/ports/folders.ts";
import { ownMounts } from "../../support/own-mounts.ts";
import { swap } from "../../support/rearrange.ts";

const PROOF = ".slipway-proof";
const REMOVE_FOLDER = new URL("../../../src/adapters/remove-folder.ts", import.meta.url).href;
let root: string;
let outside: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "slipway-remove-"));
  outside = mkdtempSync(join(tmpdir(), "slipway-outside-"));
  mkdirSync(join(outside, "below"));
  for (const name of ["a", "below/b"]) writeFileSync(join(outside, name), "stays");
  mkdirSync(join(root, "demo", PROOF), { recursive: true });
});
afterEach(() => {
  for (const folder of [root, outside]) rmSync(folder, { recursive: true, force: true });
});

const remove = (more: Partial<FolderRemoval> = {}) =>
  removeFolder({
    root,
    path: "demo",
    proof: PROOF,
    prove: async () => {},
    keepsItself: false,
    kept: [],
    signal: new AbortController().signal,
    ...more,
  });
const outsideHolds = () => readdirSync(outside, { recursive: true, encoding: "utf8" }).sort();
const WHOLE = ["a", "below", "below/b"];

describe("removing a folder", () => {
  it("removes what it holds, whatever its names, and itself", async () => {
    mkdirSync(join(root, "demo/deep/er"), { recursive: true });
    writeFileSync(join(root, "demo/deep/er/file"), "x");
    writeFileSync(Buffer.concat([Buffer.from(`${root}/demo/`), Buffer.from([0xff, 0x41])]), "not text");
    for (let number = 0; number < 500; number += 1) writeFileSync(join(root, `demo/${number}`), "");
    expect(await remove()).toEqual({ ok: true, isKept: false });
    expect(existsSync(join(root, "demo"))).toBe(false);
  });

  it("removes links, and nothing of what they lead to", async () => {
    symlinkSync(outside, join(root, "demo/folder"));
    symlinkSync(join(outside, "a"), join(root, "demo/file"));
    symlinkSync("../..", join(root, "demo/up"));
    expect(await remove()).toEqual({ ok: true, isKept: false });
    expect(outsideHolds()).toEqual(WHOLE);
  });

  it.each(["demo", "", "..", "../demo"])("goes nowhere behind a link, up, or to the root itself: %j", async (path) => {
    rmSync(join(root, "demo"), { recursive: true });
    mkdirSync(join(outside, PROOF));
    symlinkSync(outside, join(root, "demo"));
    expect((await remove({ path })).ok).toBe(false);
    expect(outsideHolds()).toEqual([PROOF, ...WHOLE]);
  });

  it("goes behind no link above the folder", async () => {
    mkdirSync(join(outside, "demo", PROOF), { recursive: true });
    symlinkSync(outside, join(root, "up"));
    expect((await remove({ path: "up/demo" })).ok).toBe(false);
    expect(existsSync(join(outside, "demo", PROOF))).toBe(true);
  });

  it("removes nothing where the host's proof is not seen, or is no folder", async () => {
    rmSync(join(root, "demo", PROOF), { recursive: true });
    writeFileSync(join(root, "demo/a"), "");
    const fault = `this machine does not see "${PROOF}", which the host has made in it`;
    expect(await remove()).toEqual({ ok: false, fault });
    symlinkSync(outside, join(root, "demo", PROOF));
    expect(await remove()).toEqual({ ok: false, fault });
    expect(readdirSync(join(root, "demo"))).toContain("a");
  });

  it("keeps itself and the folders it is told to", async () => {
    mkdirSync(join(root, "demo/ünder/kept/in"), { recursive: true });
    mkdirSync(join(root, "demo/gone"));
    expect(await remove({ keepsItself: true, kept: ["ünder/kept"] })).toEqual({ ok: true, isKept: true });
    expect(readdirSync(join(root, "demo"), { recursive: true, encoding: "utf8" }).sort()).toEqual([
      "ünder",
      "ünder/kept",
      "ünder/kept/in",
    ]);
  });

  it("says what it left where folders lie too deep", async () => {
    mkdirSync(join(root, "demo", ...Array(210).fill("d")), { recursive: true });
    expect(await remove()).toEqual({ ok: false, fault: "folders lie more than 200 deep" });
  });

  it("touches nothing outside while somebody swaps a folder for a link", async () => {
    mkdirSync(join(root, "demo/x/kept"), { recursive: true });
    const swapping = await swap(join(root, "demo/x"), outside);
    try {
      for (let round = 0; round < 200; round += 1) {
        mkdirSync(join(root, "demo", PROOF), { recursive: true });
        await remove({ keepsItself: true, kept: ["x/kept", "x.real/kept"] });
      }
    } finally {
      swapping.kill("SIGKILL");
    }
    expect(outsideHolds()).toEqual(WHOLE);
  });

  it.skipIf(ownMounts === null)("enters no mount, though it is of the same file system", () => {
    mkdirSync(join(root, "demo/mount"));
    const [unshare = "", ...options] = ownMounts ?? [];
    const program = `import { removeFolder } from ${JSON.stringify(REMOVE_FOLDER)};
      const [root, proof] = process.argv.slice(1);
      const { signal } = new AbortController();
      const asked = { root, path: "demo", proof, prove: async () => {}, keepsItself: false, kept: [], signal };
      console.log(JSON.stringify(await removeFolder(asked)));`;
    const { stdout } = spawnSync(
      unshare,
      [
        ...[...options, "sh", "-ec", `mount --bind "${outside}" "${root}/demo/mount"; exec "$@"`, "sh"],
        ...[process.execPath, "--input-type=module", "-e", program, root, PROOF],
      ],
      { encoding: "utf8" },
    );
    expect(JSON.parse(stdout)).toEqual({ ok: false, fault: "another file system is mounted in it" });
    expect(outsideHolds()).toEqual(WHOLE);
  });

  it.each([true, false])(
    "does not call a folder empty that is filled again and again (keeps itself: %j)",
    async (keepsItself) => {
      let files = 0;
      const fill = () => {
        files += 1;
        writeFileSync(join(root, "demo", `late-${files}`), "");
      };
      // The signal is looked at before each entry is removed.
      const signal = new Proxy(new AbortController().signal, {
        get: (_, name) => (name === "throwIfAborted" ? fill : undefined),
      });
      expect(await remove({ keepsItself, signal })).toEqual({ ok: false, fault: "something is put into it meanwhile" });
      expect(readdirSync(join(root, "demo"))).not.toEqual([]);
    },
  );

  it("leaves no proof behind, whatever it refuses", async () => {
    writeFileSync(join(root, "demo/a"), "");
    await remove({ signal: AbortSignal.abort() });
    expect(readdirSync(join(root, "demo"))).toEqual(["a"]);
    let asked = false;
    const prove = async () => {
      asked = true;
    };
    expect((await remove({ path: "none", prove })).ok).toBe(false);
    expect(asked).toBe(false);
    expect((await remove({ prove: () => Promise.reject(new Error("no")) })).ok).toBe(false);
    expect(readdirSync(join(root, "demo"))).toEqual(["a"]);
  });

  it("stops in the middle when it is told to", async () => {
    writeFileSync(join(root, "demo/a"), "");
    const end = await remove({ signal: AbortSignal.abort() });
    expect(end.ok).toBe(false);
    expect(existsSync(join(root, "demo/a"))).toBe(true);
  });
});
