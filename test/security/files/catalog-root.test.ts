/** A catalog whose files are links, pipes, devices or giants: nothing from outside of it is read, and nothing waits. */
import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openCatalogDirectory } from "../../../src/adapters/catalog/catalog-directory.ts";
import type { Catalog } from "../../../src/engine/ports/catalog.ts";
import { rawScript } from "../../support/scripts/scripts.ts";

let folder: string;
let root: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "slipway-catalog-root-")));
  root = join(folder, "catalog");
  mkdirSync(root);
  writeFileSync(join(root, "good.json"), JSON.stringify(rawScript({})));
  writeFileSync(join(folder, "outside.json"), JSON.stringify(rawScript({ script: { version: "6.6.6" } })));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Each problem of an app's file. */
function problemsOf(catalog: Catalog, appId: string): string[] {
  return (catalog.entry(appId)?.problems ?? []).map(({ code, message }) => `${code}: ${message}`);
}

describe("an install script that is not a file of the catalog", () => {
  test("is refused when a link leads out, by any way, and read when it stays inside", async () => {
    symlinkSync("../outside.json", join(root, "up.json"));
    symlinkSync(join(folder, "outside.json"), join(root, "absolute.json"));
    symlinkSync("dir/outside.json", join(root, "through.json"));
    symlinkSync("..", join(root, "dir"));
    symlinkSync("/proc/self/cwd/package.json", join(root, "magic.json"));
    symlinkSync("good.json", join(root, "inside.json"));
    symlinkSync(join(root, "good.json"), join(root, "named.json"));
    const catalog = await openCatalogDirectory(root);
    for (const appId of ["up", "absolute", "through", "magic"]) {
      expect(catalog.entry(appId)?.dictionary).toBeNull();
      expect(problemsOf(catalog, appId)).toEqual([
        `CATALOG_FILE_UNREADABLE: the file "${appId}.json" can't be read: it leads outside the catalog`,
      ]);
    }
    for (const appId of ["good", "inside", "named"]) expect(catalog.entry(appId)?.dictionary).not.toBeNull();
  });

  test("is a fault of its own when it is a pipe, a device, a socket or a giant", async () => {
    execFileSync("mkfifo", [join(root, "pipe.json")]);
    execFileSync("mknod", [join(root, "zero.json"), "c", "1", "5"]);
    const bind = "import socket,sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])";
    execFileSync("python3", ["-c", bind, join(root, "socket.json")]);
    writeFileSync(join(root, "giant.json"), "");
    truncateSync(join(root, "giant.json"), 2 ** 42);
    const catalog = await openCatalogDirectory(root);
    for (const appId of ["pipe", "zero", "socket"]) {
      expect(problemsOf(catalog, appId)).toEqual([expect.stringContaining("it is not a regular file")]);
    }
    expect(problemsOf(catalog, "giant")).toEqual([expect.stringContaining("more than the allowed")]);
    expect(catalog.entry("good")?.dictionary).not.toBeNull();
  });
});

test("the index of a catalog that links to a file outside is refused", async () => {
  writeFileSync(join(folder, "index.json"), '{"deprecated": ["good"]}');
  symlinkSync("../index.json", join(root, "catalog.json"));
  const catalog = await openCatalogDirectory(root);
  expect(catalog.entry("good")?.deprecated).toBe(false);
  const { problems } = await catalog.sync();
  expect(JSON.stringify(problems)).toContain("it leads outside the catalog");
});

describe("a script file that a hook names", () => {
  const hook = {
    id: "look",
    title: "Look",
    events: ["userAction"],
    rerun: "converge",
    entrypoint: "run",
    script: "look.ts",
  };
  const RUN = "export async function run(ctx) {}";

  const messagesWith = async (arrange: () => void): Promise<string> => {
    writeFileSync(join(root, "app.json"), JSON.stringify(rawScript({ hooks: [hook] })));
    arrange();
    return problemsOf(await openCatalogDirectory(root), "app").join("\n");
  };

  test("is read when it is there", async () => {
    expect(await messagesWith(() => writeFileSync(join(root, "look.ts"), RUN))).toBe("");
  });

  test.each([
    ["a link to a file outside", "leads outside the catalog", () => symlinkSync("../look.ts", join(root, "look.ts"))],
    ["a magic link", "leads outside the catalog", () => symlinkSync("/proc/self/environ", join(root, "look.ts"))],
    ["a pipe", "is not a regular file", () => void execFileSync("mkfifo", [join(root, "look.ts")])],
    [
      "a device that never ends",
      "is not a regular file",
      () => void execFileSync("mknod", [join(root, "look.ts"), "c", "1", "5"]),
    ],
    [
      "a giant without content",
      "more than the allowed 524288 bytes",
      () => {
        writeFileSync(join(root, "look.ts"), RUN);
        truncateSync(join(root, "look.ts"), 450 * 1024 * 1024);
      },
    ],
  ])("is refused when it is %s", async (_, reason, arrange) => {
    writeFileSync(join(folder, "look.ts"), RUN);
    expect(await messagesWith(arrange)).toContain(reason);
  });
});

describe("a catalog that is rearranged while it is read", () => {
  test("never shows a script from outside, in 300 syncs", async () => {
    mkdirSync(join(root, "dir"));
    writeFileSync(join(root, "dir/app.json"), JSON.stringify(rawScript({ script: { version: "1.0.0" } })));
    writeFileSync(join(folder, "app.json"), JSON.stringify(rawScript({ script: { version: "6.6.6" } })));
    symlinkSync("dir/app.json", join(root, "app.json"));
    const catalog = await openCatalogDirectory(root);
    for (let i = 0; i < 300; i++) {
      const syncing = catalog.sync();
      renameSync(join(root, "dir"), join(root, "away"));
      symlinkSync("..", join(root, "dir"));
      await syncing;
      expect(catalog.entry("app")?.dictionary?.script.version).not.toBe("6.6.6");
      rmSync(join(root, "dir"));
      renameSync(join(root, "away"), join(root, "dir"));
    }
  });

  test("whatever its tree looks like, is read without a byte from outside", async () => {
    const target = fc.constantFrom(
      "../outside.json",
      "good.json",
      "a/b.json",
      "../catalog/good.json",
      "a/../../outside.json",
      "/proc/self/root",
      "/dev/zero",
      ".",
      "..",
      "",
      "b.json",
    );
    const node = fc.oneof(
      fc.record({ kind: fc.constant("link" as const), to: target }),
      fc.record({ kind: fc.constantFrom("pipe", "device", "directory", "giant", "script") }),
    );
    const tree = fc.dictionary(fc.constantFrom("a", "a/b.json", "b.json", "c.json", "catalog.json"), node, {
      maxKeys: 5,
    });
    await fc.assert(
      fc.asyncProperty(tree, async (entries) => {
        const at = mkdtempSync(join(folder, "tree-"));
        const catalogRoot = join(at, "catalog");
        mkdirSync(catalogRoot);
        writeFileSync(join(at, "outside.json"), JSON.stringify(rawScript({ script: { version: "6.6.6" } })));
        writeFileSync(join(catalogRoot, "good.json"), JSON.stringify(rawScript({})));
        for (const [name, each] of Object.entries(entries)) place(join(catalogRoot, name), each);
        const catalog = await openCatalogDirectory(catalogRoot);
        const versions = catalog.entries().map(({ dictionary }) => dictionary?.script.version);
        expect(versions).not.toContain("6.6.6");
        expect(catalog.entry("good")?.dictionary).not.toBeNull();
      }),
      { numRuns: 150 },
    );
  });

  /** Puts something at a path; what can't stand there, as below a file, is left out. */
  function place(path: string, { kind, to }: { kind: string; to?: string }): void {
    try {
      if (kind === "link") symlinkSync(to ?? "", path);
      else if (kind === "pipe") execFileSync("mkfifo", [path], { stdio: "ignore" });
      else if (kind === "device") execFileSync("mknod", [path, "c", "1", "5"], { stdio: "ignore" });
      else if (kind === "directory") mkdirSync(path);
      else writeFileSync(path, JSON.stringify(rawScript({})), { flag: "wx" });
      if (kind === "giant") truncateSync(path, 2 ** 40);
    } catch {
      // not possible here
    }
  }
});
