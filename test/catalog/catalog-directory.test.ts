import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openCatalogDirectory } from "../../src/adapters/catalog/catalog-directory.ts";
import { rawHook, rawScript } from "../support/scripts/scripts.ts";

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "slipway-catalog-"));
});
afterEach(() => rmSync(root, { recursive: true }));

const write = (name: string, text: string) => writeFileSync(join(root, name), text);
const put = (name: string, changes: Record<string, unknown> = {}) => write(name, JSON.stringify(rawScript(changes)));
const versioned = (version: string) => ({ script: { version } });

describe("a catalog directory", () => {
  it("an app's id is its file's base name, compared exactly; catalog.json names the deprecated ones", async () => {
    put("plex.json");
    put("emby.json");
    write("catalog.json", '{"deprecated": ["emby"]}');
    write("README.md", "no script");
    mkdirSync(join(root, "plex"));
    const catalog = await openCatalogDirectory(root);
    expect(catalog.entries().map(({ appId, file, deprecated }) => ({ appId, file, deprecated }))).toEqual([
      { appId: "emby", file: "emby.json", deprecated: true },
      { appId: "plex", file: "plex.json", deprecated: false },
    ]);
    expect(catalog.entry("plex")?.dictionary?.appId).toBe("plex");
    expect(catalog.entry("Plex")).toBeNull();
    expect(catalog.entry("toString")).toBeNull();
  });

  it("of several files of one app the highest script.version counts", async () => {
    put("plex.json", versioned("1.9.0"));
    put("plex@new.json", versioned("1.10.0"));
    put("plex@old.json", versioned("1.2.0"));
    expect((await openCatalogDirectory(root)).entry("plex")?.file).toBe("plex@new.json");
  });

  it("a usable file goes before a refused newer one, the plain file before another of equal version", async () => {
    put("plex.json", versioned("1.0.0"));
    put("plex@same.json", versioned("1.0.0"));
    put("plex@broken.json", { ...versioned("9.0.0"), requirements: undefined });
    expect((await openCatalogDirectory(root)).entry("plex")?.file).toBe("plex.json");
  });

  it("where the newest file is of an unsupported version the app has no pairings, whatever older files say", async () => {
    put("plex.json", versioned("1.0.0"));
    put("plex@2.json", { ...versioned("2.0.0"), version: 7 });
    const catalog = await openCatalogDirectory(root);
    const entry = catalog.entry("plex");
    expect(entry).toMatchObject({ file: "plex.json", outdated: true });
    await catalog.sync();
    expect(catalog.entry("plex")).toBe(entry);
    put("plex.json", versioned("2.0.1"));
    await catalog.sync();
    expect(catalog.entry("plex")).toMatchObject({ file: "plex.json", outdated: false });
  });

  it("keeps a file that does not parse as an entry with its problems, hiding no other", async () => {
    put("plex.json");
    write("emby.json", "{");
    const catalog = await openCatalogDirectory(root);
    expect(catalog.entry("emby")).toMatchObject({ dictionary: null, problems: [{ code: "SCRIPT_JSON_SYNTAX" }] });
    expect(catalog.entry("plex")?.dictionary).not.toBeNull();
  });

  it("makes a directory, a dangling link and Latin-1 text problems of their own files", async () => {
    mkdirSync(join(root, "folder.json"));
    symlinkSync(join(root, "nowhere"), join(root, "link.json"));
    writeFileSync(join(root, "latin.json"), Buffer.from([0x7b, 0xe9, 0x7d]));
    put("plex.json");
    const catalog = await openCatalogDirectory(root);
    const codes = catalog.entries().map(({ appId, problems }) => [appId, ...problems.map(({ code }) => code)]);
    expect(codes).toEqual([
      ["folder", "CATALOG_FILE_UNREADABLE"],
      ["latin", "CATALOG_FILE_NOT_UTF8"],
      ["link", "CATALOG_FILE_UNREADABLE"],
      ["plex"],
    ]);
  });

  it("a file over 1 MB is not read", async () => {
    write("big.json", "");
    truncateSync(join(root, "big.json"), 1024 * 1024 + 1);
    const [entry] = (await openCatalogDirectory(root)).entries();
    expect(entry).toMatchObject({ appId: "big", dictionary: null, problems: [{ code: "SCRIPT_TOO_LARGE" }] });
  });

  it("a pipe is not waited for", async () => {
    execFileSync("mkfifo", [join(root, "pipe.json")]);
    put("plex.json");
    const [pipe, plex] = (await openCatalogDirectory(root)).entries();
    expect(pipe).toMatchObject({ appId: "pipe", dictionary: null, problems: [{ code: "CATALOG_FILE_UNREADABLE" }] });
    expect(plex).toMatchObject({ appId: "plex", problems: [] });
  });

  it("can't be opened where there is none", async () => {
    await expect(openCatalogDirectory(join(root, "none"))).rejects.toMatchObject({ code: "CATALOG_UNREADABLE" });
  });

  it("a hook whose script file is missing is dropped, and still declared for pairings", async () => {
    put("plex.json", {
      hooks: [rawHook({ scriptContent: undefined, script: "plex/hook.ts" }), rawHook({ id: "other" })],
    });
    const catalog = await openCatalogDirectory(root);
    const entry = catalog.entry("plex");
    expect(entry?.dictionary?.hooks.map(({ id }) => id)).toEqual(["other"]);
    expect(entry?.declared?.hooks.map(({ id }) => id)).toEqual(["connect", "other"]);
    mkdirSync(join(root, "plex"));
    write("plex/hook.ts", "export const run = async () => {};");
    expect(await catalog.sync()).toEqual({ added: [], changed: ["plex"], removed: [], problems: [] });
    expect(catalog.entry("plex")?.dictionary?.hooks).toHaveLength(2);
  });
});

describe("sync", () => {
  it("tells what was added, changed and removed, and every file's problems", async () => {
    put("kept.json");
    put("changed.json");
    put("removed.json");
    const catalog = await openCatalogDirectory(root);
    const before = catalog.entry("kept");
    put("changed.json", versioned("2.0.0"));
    put("added.json", { hoks: [] });
    rmSync(join(root, "removed.json"));
    expect(await catalog.sync()).toMatchObject({
      added: ["added"],
      changed: ["changed"],
      removed: ["removed"],
      problems: [{ file: "added.json", problems: [{ code: "SCRIPT_KEY_UNKNOWN" }] }],
    });
    expect(catalog.entry("kept")).toBe(before);
    expect(await catalog.sync()).toMatchObject({ added: [], changed: [], removed: [] });
  });

  it("swaps the snapshot whole: a reader keeps what it had", async () => {
    put("plex.json");
    const catalog = await openCatalogDirectory(root);
    const entries = catalog.entries();
    put("emby.json");
    const syncing = catalog.sync();
    expect(catalog.entries()).toBe(entries);
    await syncing;
    expect(entries.map(({ appId }) => appId)).toEqual(["plex"]);
    expect(catalog.entries().map(({ appId }) => appId)).toEqual(["emby", "plex"]);
  });

  it("called twice at once reads once", async () => {
    const catalog = await openCatalogDirectory(root);
    const [first, second] = [catalog.sync(), catalog.sync()];
    expect(first).toBe(second);
    await first;
    const third = catalog.sync();
    expect(third).not.toBe(first);
    await third;
  });

  it("never takes a file half-written: one that grows while it is read counts when it is complete", async () => {
    const text = JSON.stringify(rawScript(versioned("2.0.0")));
    put("plex.json", versioned("1.0.0"));
    const catalog = await openCatalogDirectory(root);
    write("plex.json", text.slice(0, 40));
    const syncing = catalog.sync();
    // The rest follows in pieces while the sync is under way.
    for (let at = 40; at < text.length; at += 40) {
      appendFileSync(join(root, "plex.json"), text.slice(at, at + 40));
      await new Promise((resolve) => setImmediate(resolve));
    }
    await syncing;
    expect(catalog.entry("plex")?.dictionary?.script.version).toBe("2.0.0");
  });

  it("keeps the last complete state of a file that never stops changing, and says so", async () => {
    put("plex.json", versioned("1.0.0"));
    const catalog = await openCatalogDirectory(root);
    write("plex.json", "{");
    let syncing = true;
    const changes = catalog.sync().finally(() => {
      syncing = false;
    });
    const writing = (async () => {
      for (let index = 0; syncing; index += 1) {
        write("plex.json", `{ "version": 6, "index": ${index}, `);
        await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    await Promise.all([changes, writing]);
    expect(catalog.entry("plex")).toMatchObject({
      dictionary: { script: { version: "1.0.0" } },
      problems: [{ code: "CATALOG_FILE_CHANGING" }],
    });
  });

  it("reads a file replaced by renaming as its old or its new state", async () => {
    put("plex.json", versioned("1.0.0"));
    const catalog = await openCatalogDirectory(root);
    for (let minor = 1; minor <= 20; minor += 1) {
      put("next", versioned(`1.${minor}.0`));
      const syncing = catalog.sync();
      renameSync(join(root, "next"), join(root, "plex.json"));
      await syncing;
      const version = catalog.entry("plex")?.dictionary?.script.version;
      expect([`1.${minor - 1}.0`, `1.${minor}.0`]).toContain(version);
    }
  });

  it("keeps the list of deprecated apps when catalog.json breaks, and says so", async () => {
    put("plex.json");
    write("catalog.json", '{"deprecated": ["plex"]}');
    const catalog = await openCatalogDirectory(root);
    write("catalog.json", '{"deprecated": "plex"}');
    const { problems } = await catalog.sync();
    expect(problems).toMatchObject([{ file: "catalog.json", problems: [{ code: "CATALOG_INDEX_INVALID" }] }]);
    expect(catalog.entry("plex")?.deprecated).toBe(true);
    rmSync(join(root, "catalog.json"));
    expect(await catalog.sync()).toMatchObject({ changed: ["plex"], problems: [] });
    expect(catalog.entry("plex")?.deprecated).toBe(false);
  });

  it("leaves the snapshot as it was when the directory can't be listed", async () => {
    put("plex.json");
    const catalog = await openCatalogDirectory(root);
    renameSync(root, `${root}-away`);
    await expect(catalog.sync()).rejects.toMatchObject({ code: "CATALOG_UNREADABLE" });
    renameSync(`${root}-away`, root);
    expect(catalog.entry("plex")).not.toBeNull();
    expect(await catalog.sync()).toMatchObject({ removed: [] });
  });
});
