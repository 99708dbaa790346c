/** An app's containers own what lies below the locations: looking at it shows nothing from outside, and waits for nothing. */
import { execFileSync } from "node:child_process";
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect } from "vitest";
import { createLocalFolders } from "../../../src/adapters/local-folders.ts";
import type { Folders } from "../../../src/engine/ports/folders.ts";
import { it, openWorld } from "../../support/engine/engine-test.ts";
import { again, swap } from "../../support/rearrange.ts";

/** Stands in the name of everything outside of the locations. */
const MARKER = "marker-outside";

let folder: string;
/** The location Media on this machine. */
let media: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "slipway-folders-")));
  media = join(folder, "host/mnt/tank/media");
  mkdirSync(join(media, "films"), { recursive: true });
  writeFileSync(join(media, "films/a.mkv"), "12345");
  mkdirSync(join(folder, "host/mnt/tank/private"));
  mkdirSync(join(folder, "outside"));
  for (const at of ["host/mnt/tank/private", "outside"]) writeFileSync(join(folder, at, MARKER), "x");
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function openFiles(folders: Folders = createLocalFolders()) {
  const { engine } = await openWorld({
    catalog: {},
    host: {
      localRoot: join(folder, "host"),
      facts: { locations: { Media: "/mnt/tank/media", Films: "/mnt/tank/media/films", Gone: "/mnt/tank/gone" } },
    },
    engine: { folders },
  });
  const list = async (path: string, page = {}) => engine.files({ path, ...page });
  const names = async (path: string) => (await list(path)).entries.map(({ name, kind }) => `${name} ${kind}`);
  return { engine, list, names };
}

describe("a path that may not be looked at is refused by its code", () => {
  it.each([
    ["..", "/mnt/tank/media/../private"],
    [".. that leads back", "/mnt/tank/media/x/../films"],
    ["a relative path", "mnt/tank/media"],
    ["no path at all", ""],
    ["a zero character", "/mnt/tank/media/a\0b"],
    ["a folder beside the locations", "/mnt/tank/private"],
    ["a name that begins like a location's", "/mnt/tank/media2"],
    ["the folder above the locations", "/mnt/tank"],
    ["the root", "/"],
    ["the machine's own files", "/etc"],
  ])("%s", async (_, path) => {
    const { list } = await openFiles({ list: () => Promise.reject(new Error("it was looked at")) });
    await expect(list(path)).rejects.toMatchObject({ code: "FILE_OUTSIDE" });
  });

  it("nothing, a file, what can't be read, and a folder where none can be looked at", async () => {
    const { list } = await openFiles();
    await expect(list("/mnt/tank/media/none")).rejects.toMatchObject({ code: "FILE_UNKNOWN" });
    await expect(list("/mnt/tank/gone")).rejects.toMatchObject({ code: "FILE_UNKNOWN" });
    await expect(list("/mnt/tank/media/films/a.mkv")).rejects.toMatchObject({ code: "FILE_NOT_FOLDER" });
    await expect(list("/mnt/tank/media/films/a.mkv/b")).rejects.toMatchObject({ code: "FILE_NOT_FOLDER" });
    await expect(list(`/mnt/tank/media/${"x".repeat(300)}`)).rejects.toMatchObject({ code: "FILE_UNREADABLE" });
    const { engine } = await openWorld({ catalog: {}, host: { facts: { locations: { Media: "/mnt/tank/media" } } } });
    await expect(engine.files({ path: "/mnt/tank/media" })).rejects.toMatchObject({ code: "FILE_UNREADABLE" });
  });
});

describe("links", () => {
  it("that lead out are refused, and shown as links of which nothing is told", async () => {
    const outside = {
      up: "../private",
      far: join(folder, "outside"),
      root: "/",
      process: "/proc/self/root",
      own: "/proc/self/cwd",
      host: "/mnt/tank/private",
      nothing: "none",
      circle: "circle",
      file: `../private/${MARKER}`,
    };
    for (const [name, to] of Object.entries(outside)) symlinkSync(to, join(media, name));
    symlinkSync("up", join(media, "twice"));
    const { list } = await openFiles();
    const found = await list("/mnt/tank/media");
    for (const name of [...Object.keys(outside), "twice"]) {
      expect(found.entries.find((entry) => entry.name === name)).toEqual({
        name,
        label: name,
        path: `/mnt/tank/media/${name}`,
        kind: "link",
        isLink: true,
      });
    }
    for (const name of ["up", "far", "root", "process", "own", "host", "twice", "root/etc", "up/x", "file"]) {
      await expect(list(`/mnt/tank/media/${name}`), name).rejects.toMatchObject({ code: "FILE_OUTSIDE" });
    }
    await expect(list("/mnt/tank/media/circle")).rejects.toMatchObject({ code: "FILE_UNREADABLE" });
  });

  it("links that stay in their location are what they lead to, others are refused", async () => {
    symlinkSync("films", join(media, "relative"));
    symlinkSync("/mnt/tank/media/films", join(media, "absolute"));
    symlinkSync("films/a.mkv", join(media, "film"));
    const { names, list } = await openFiles();
    expect(await names("/mnt/tank/media")).toEqual(["films folder", "absolute folder", "film file", "relative folder"]);
    for (const name of ["relative", "absolute"]) expect(await names(`/mnt/tank/media/${name}`)).toEqual(["a.mkv file"]);
    expect((await list("/mnt/tank/media")).entries).toContainEqual(
      expect.objectContaining({ name: "film", isLink: true, size: 5 }),
    );
  });

  it("that stand where an inner location was are refused: an app can put them there", async () => {
    rmSync(join(media, "films"), { recursive: true });
    symlinkSync("../private", join(media, "films"));
    const { list } = await openFiles();
    await expect(list("/mnt/tank/media/films")).rejects.toMatchObject({ code: "FILE_OUTSIDE" });
  });

  it("that take a folder's place while it is looked at show nothing from outside", async () => {
    const swapping = await swap(join(media, "films"), join(folder, "outside"));
    const { engine } = await openFiles();
    const seen = new Set<string>();
    try {
      for (let round = 0; round < 400; round += 1) {
        const told = await engine
          .files({ path: `/mnt/tank/media/films${round % 2 === 0 ? "" : "/."}` })
          .then(({ entries }) => entries.map(({ name }) => name).join())
          .catch((error: { code?: string }) => error.code ?? String(error));
        seen.add(told);
        for (const { name, kind, isLink } of (await engine.files({ path: "/mnt/tank/media" })).entries) {
          if (name === "films") seen.add(`${kind} ${isLink}`);
        }
      }
    } finally {
      swapping.kill("SIGKILL");
    }
    const allowed = [
      "a.mkv",
      "FILE_OUTSIDE",
      "FILE_UNKNOWN",
      "FILE_NOT_FOLDER",
      "folder false",
      "link true",
      "folder true",
    ];
    expect([...seen].filter((one) => !allowed.includes(one))).toEqual([]);
    expect([...seen]).toEqual(expect.arrayContaining(["a.mkv", "FILE_OUTSIDE"]));
  });
});

describe("whatever stands in a folder", () => {
  it("is listed without being opened: pipes, devices and sockets", async () => {
    execFileSync("mkfifo", [join(media, "pipe")]);
    execFileSync("mknod", [join(media, "zero"), "c", "1", "5"]);
    const bind = "import socket,sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])";
    execFileSync("python3", ["-c", bind, join(media, "socket")]);
    symlinkSync("pipe", join(media, "to-pipe"));
    const { names, list } = await openFiles();
    expect(await names("/mnt/tank/media")).toEqual([
      "films folder",
      "pipe other",
      "socket other",
      "to-pipe other",
      "zero other",
    ]);
    await expect(list("/mnt/tank/media/pipe")).rejects.toMatchObject({ code: "FILE_NOT_FOLDER" });
  });

  it("keeps its name, and has one to be shown in which nothing deceives", async () => {
    const given = ["<script>alert(1)<", "a\nb", "tab\there", "\u001b[31mred", "gpj.\u202eexe", "quote\"'&", "ünï"];
    for (const name of given) writeFileSync(join(media, name), "");
    const { list } = await openFiles();
    const { entries } = await list("/mnt/tank/media");
    expect(
      entries
        .map(({ name }) => name)
        .slice(1)
        .sort(),
    ).toEqual(given.toSorted());
    const labels = Object.fromEntries(entries.map(({ name, label }) => [name, label]));
    expect(labels["a\nb"]).toBe("a␊b");
    expect(labels["tab\there"]).toBe("tab␉here");
    expect(labels["\u001b[31mred"]).toBe("␛[31mred");
    expect(labels["gpj.\u202eexe"]).toBe("gpj.<U+202E>exe");
    expect(labels["<script>alert(1)<"]).toBe("<script>alert(1)<");
  });

  it("that has no text for a name, or a time no calendar has, hides nothing beside it", async () => {
    const raw = Buffer.concat([Buffer.from(`${media}/`), Buffer.from([0x62, 0xff, 0x62])]);
    closeSync(openSync(raw, "w"));
    utimesSync(join(media, "films"), 0, new Date(-1_000));
    const { names, list } = await openFiles();
    expect(await names("/mnt/tank/media")).toEqual(["films folder", "b\ufffdb other"]);
    expect((await list("/mnt/tank/media")).entries[0]?.modified).toBe("1969-12-31T23:59:59.000Z");
    const odd = await openFiles({
      list: async () => ({
        ok: true,
        whole: true,
        entries: [{ name: "a", kind: "file", isLink: false, modified: 9e15 }],
      }),
    });
    expect((await odd.list("/mnt/tank/media")).entries[0]).not.toHaveProperty("modified");
  });

  it("comes in pages, folders first, each once, however it is cut", async () => {
    const folders = createLocalFolders();
    const name = fc.stringMatching(/^[a-c0\u00e4 .-]{1,4}$/).filter((text) => !/^\.{1,2}$/.test(text));
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(name, { maxLength: 30 }),
        fc.nat(),
        fc.integer({ min: 1, max: 12 }),
        async (given, folderMask, limit) => {
          const root = mkdtempSync(join(folder, "pages-"));
          const isFolder = (at: number) => ((folderMask >> (at % 30)) & 1) === 1;
          given.forEach((text, at) => {
            if (isFolder(at)) mkdirSync(join(root, text));
            else writeFileSync(join(root, text), "");
          });
          const wanted = [true, false].flatMap((kind) => given.filter((_, at) => isFolder(at) === kind).sort());
          const seen: string[] = [];
          for (let after = ""; ; ) {
            const page = await folders.list({ root, path: "", names: [], limit, after });
            if (!page.ok) throw new Error(page.fault);
            expect(page.entries.length).toBeLessThanOrEqual(limit);
            seen.push(...page.entries.map((entry) => entry.name));
            if (page.next === undefined) break;
            after = page.next;
          }
          expect(seen).toEqual(wanted);
        },
      ),
      { numRuns: 40 },
    );
  });

  it("that comes and goes while it is looked at hides nothing that stays", async () => {
    writeFileSync(join(media, "stays"), "");
    const coming = await again(
      "for (const name of 'abcdefgh') { writeFileSync(path + name, ''); rmSync(path + name); }",
      join(media, "0"),
    );
    const { list } = await openFiles();
    try {
      for (let round = 0; round < 200; round += 1) {
        const seen: string[] = [];
        for (let after: string | undefined = ""; after !== undefined; ) {
          const { entries, next }: Awaited<ReturnType<typeof list>> = await list("/mnt/tank/media", {
            after,
            limit: 1,
          });
          seen.push(...entries.map(({ name }) => name));
          after = next;
        }
        expect(seen).toContain("stays");
      }
    } finally {
      coming.kill("SIGKILL");
    }
  });

  it("of 100,000 entries comes in pages, and of more than are looked at it says so", async () => {
    // Links of one file are made and removed faster than files; a file has at most 65,000 on some file systems.
    const many = `import os,sys
for n in range(100000):
  if n % 50000 == 0: os.close(os.open('%s/%06d' % (sys.argv[1], n), os.O_CREAT))
  else: os.link('%s/%06d' % (sys.argv[1], n // 50000 * 50000), '%s/%06d' % (sys.argv[1], n))`;
    execFileSync("python3", ["-c", many, join(media, "films")]);
    const { list } = await openFiles();
    const first = await list("/mnt/tank/media/films", { limit: 1000 });
    expect([first.entries.length, first.entries[999]?.name, first.whole]).toEqual([1000, "000999", true]);
    const last = await list("/mnt/tank/media/films", { after: "1/099990", limit: 1000 });
    expect(last.entries.map(({ name }) => name)).toEqual([
      ...Array.from({ length: 9 }, (_, at) => `09999${at + 1}`),
      "a.mkv",
    ]);
    expect(last).not.toHaveProperty("next");
    const cut = await openFiles(createLocalFolders(5_000));
    expect(await cut.list("/mnt/tank/media/films", { limit: 1 })).toMatchObject({ whole: false });
  });
});
