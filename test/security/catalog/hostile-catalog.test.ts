/** A hostile file in a catalog directory is a fault of its own: the good ones are listed, the engine's thread goes on. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import fc from "fast-check";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { openCatalogDirectory } from "../../../src/adapters/catalog/catalog-directory.ts";
import { CHECK_LIMITS, createCatalogCheck } from "../../../src/adapters/catalog/file-check/catalog-check.ts";
import { createSourceReader } from "../../../src/adapters/catalog/script-source.ts";
import { sortNames } from "../../../src/adapters/catalog/sort-names.ts";
import { MOST_HELD_MS, openAlone } from "../../support/catalog/open-alone.ts";
import { fuzz } from "../../support/fuzz.ts";
import { rawHook, rawScript } from "../../support/scripts/scripts.ts";
import { SLOWNESS } from "../../support/slowness.ts";

/** 50 ms on a machine of its own; this one may be busy with other tests. */
const MOST_DELAY_MS = 400 * SLOWNESS;
const MOST_GROWTH_MB = 300;

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "slipway-hostile-"));
});
afterEach(() => rmSync(root, { recursive: true }));

const write = (name: string, text: string): void => writeFileSync(join(root, name), text);
const script = (changes: Record<string, unknown> = {}): string => JSON.stringify(rawScript(changes));
const items = <Item>(count: number, item: Item): Item[] => Array.from({ length: count }, () => item);
const fill = (part: string): string => part.repeat(Math.floor(65_000 / part.length));
const texts = (part: string): string => script({ app_values: { list: items(15, fill(part)) } });

/** An enum whose last value has 16 GB. */
const DOUBLING = `enum E { A0 = "xxxxxxxxxxxxxxxx", ${Array.from({ length: 30 }, (_, i) => `A${i + 1} = A${i} + A${i}`).join(", ")} }`;

function writeGood(): void {
  for (const id of ["alpha", "omega"]) write(`${id}.json`, script());
}

/** The longest time the event loop stood still while something was under way, ms. */
async function longestStretch(work: Promise<unknown>): Promise<number> {
  let isDone = false;
  void work.then(() => {
    isDone = true;
  });
  let longest = 0;
  for (let since = performance.now(); !isDone; since = performance.now()) {
    await nextTurn();
    longest = Math.max(longest, performance.now() - since);
  }
  return longest;
}

describe("a hostile file among good ones", () => {
  const rows: [title: string, code: string, write: () => void][] = [
    ["1 MB of parentheses", "SCRIPT_JSON_SYNTAX", () => write("bad.json", "(".repeat(1_000_000))],
    ["1 MB of commas", "SCRIPT_PROBLEMS_TOO_MANY", () => write("bad.json", `[${",".repeat(1_000_000)}`)],
    ["9 MB of QUESTION(", "SCRIPT_TOO_LARGE", () => write("bad.json", "QUESTION(".repeat(1_000_000))],
    ["texts of QUESTION(", "SCRIPT_PROBLEMS_TOO_MANY", () => write("bad.json", texts("QUESTION("))],
    [
      "40,000 macros",
      "SCRIPT_PROBLEMS_TOO_MANY",
      () => write("bad.json", script({ app_values: { list: items(40_000, "$QUESTION(key)") } })),
    ],
    ["30,000 empty hooks", "SCRIPT_TOO_MANY_VALUES", () => write("bad.json", script({ hooks: items(30_000, {}) }))],
    ["brackets without end", "SCRIPT_TOO_DEEP", () => write("bad.json", "[".repeat(1_000_000))],
    [
      "a sparse install script of 450 MB",
      "SCRIPT_TOO_LARGE",
      () => {
        write("bad.json", "");
        truncateSync(join(root, "bad.json"), 450 * 1024 * 1024);
      },
    ],
    [
      "a hook whose script is sparse and has 450 MB",
      "SCRIPT_FILE_MISSING",
      () => {
        write("bad.json", script({ hooks: [rawHook({ scriptContent: undefined, script: "big.ts" })] }));
        write("big.ts", "");
        truncateSync(join(root, "big.ts"), 450 * 1024 * 1024);
      },
    ],
    [
      "TypeScript that doubles a text 30 times",
      "SCRIPT_TYPESCRIPT_SYNTAX",
      () =>
        write(
          "bad.json",
          script({ hooks: [rawHook({ scriptContent: `${DOUBLING} export const run = () => E.A30;` })] }),
        ),
    ],
    ["a pipe", "CATALOG_FILE_UNREADABLE", () => void execFileSync("mkfifo", [join(root, "bad.json")])],
    ["a link to /dev/zero", "CATALOG_FILE_UNREADABLE", () => symlinkSync("/dev/zero", join(root, "bad.json"))],
  ];
  /** What the good files alone take. */
  let goodMb: number | undefined;
  for (const [title, code, make] of rows) {
    it(`${title} is ${code} and holds up nothing`, () => {
      writeGood();
      goodMb ??= openAlone(root).peakMb;
      make();
      const { codes, delayMs, heldMs, peakMb } = openAlone(root);
      expect(codes).toMatchObject({ alpha: ["usable"], omega: ["usable"] });
      expect(codes["bad"]).toContain(code);
      expect(delayMs).toBeLessThan(MOST_DELAY_MS);
      expect(heldMs).toBeLessThan(MOST_HELD_MS);
      expect(peakMb - goodMb).toBeLessThan(MOST_GROWTH_MB);
    });
  }

  it("many files written a moment ago, costly to be told whole, hold up nothing", () => {
    writeGood();
    const keys = Array.from({ length: 50_000 }, (_, index) => `"${index * 1e9 + 7}":0`);
    for (let file = 0; file < 16; file += 1) write(`bad${file}.json`, `{${keys.join(",")}}`);
    const soon = Date.now() / 1000 + 1;
    for (let file = 0; file < 16; file += 1) utimesSync(join(root, `bad${file}.json`), soon, soon);
    const { codes, delayMs } = openAlone(root);
    expect(codes).toMatchObject({ alpha: ["usable"], omega: ["usable"], bad15: ["refused", expect.any(String)] });
    expect(delayMs).toBeLessThan(MOST_DELAY_MS);
  });

  it("200,000 names that differ in their last characters hold up nothing", async () => {
    const names = Array.from({ length: 200_000 }, (_, index) => `${"a".repeat(240)}${(index * 7919) % 200_000}.json`);
    const sorting = nextTurn().then(() => sortNames(names));
    expect(await longestStretch(sorting)).toBeLessThan(MOST_DELAY_MS);
    const sorted = await sorting;
    expect(sorted).toEqual(names.sort());
  });

  it("a hostile catalog.json is a problem of its own", async () => {
    writeGood();
    write("catalog.json", `{"deprecated": ["omega", ${"(".repeat(900_000)}`);
    const catalog = await openCatalogDirectory(root);
    expect(catalog.entries().map(({ appId }) => appId)).toEqual(["alpha", "omega"]);
    const { problems } = await catalog.sync();
    expect(problems.map(({ file }) => file)).toEqual(["catalog.json"]);
    write("catalog.json", JSON.stringify({ deprecated: [...items(150_000, "x"), "omega"] }));
    await catalog.sync();
    expect(catalog.entry("omega")?.deprecated).toBe(true);
  });

  it("valid values of every awkward kind arrive as they were written", async () => {
    const odd = '{"__proto__":{"polluted":1},"constructor":"\\ud800","zero":"\\u0000","list":[[[[]]]]}';
    write("odd.json", script({ app_values: "@" }).replace('"@"', odd));
    const values = (await openCatalogDirectory(root)).entry("odd")?.dictionary?.appValues;
    expect(JSON.stringify(values)).toBe(odd);
    expect("polluted" in {}).toBe(false);
  });
});

describe("a catalog that is too large as a whole", () => {
  const limits = { files: 20_000, keptBytes: 128 * 1024 * 1024, check: CHECK_LIMITS };

  it("is read up to a number of files, the first by name, and says how many are not", async () => {
    for (const id of ["a", "b", "c"]) write(`${id}.json`, script());
    const catalog = await openCatalogDirectory(root, { ...limits, files: 2 });
    expect(catalog.entries().map(({ appId }) => appId)).toEqual(["a", "b"]);
    const { problems } = await catalog.sync();
    expect(problems).toMatchObject([{ file: ".", problems: [{ code: "CATALOG_FILES_TOO_MANY" }] }]);
  });

  it("leaves its largest files out, and keeps the others whatever their names are", async () => {
    const large = script({ app_values: { text: items(10, "x".repeat(60_000)) } });
    write("alpha.json", large);
    write("beta.json", script());
    write("gamma.json", large);
    const catalog = await openCatalogDirectory(root, { ...limits, keptBytes: 100_000 });
    const codes = catalog.entries().map(({ appId, problems }) => [appId, ...problems.map(({ code }) => code)]);
    expect(codes).toEqual([["alpha", "CATALOG_FILE_LEFT_OUT"], ["beta"], ["gamma", "CATALOG_FILE_LEFT_OUT"]]);
  });
});

describe("the check of a catalog's files", () => {
  const reader = createSourceReader();
  afterAll(reader.rest);

  it("a file that outlasts the deadline is left out", async () => {
    const slow = script({ app_values: { list: items(50_000, "$SERVER_LAN_IP") } });
    const check = createCatalogCheck(root, reader.read, { deadlineMs: 1, heapMb: 192 });
    try {
      expect(await check.script("slow", slow)).toMatchObject({
        ok: false,
        reason: "it takes longer than 0.001 s to check",
      });
    } finally {
      await check.close();
    }
  });

  it("a file that outgrows the process's memory is left out, and those asked with it are checked", async () => {
    const large = script({ app_values: { list: items(300_000, {}) } });
    const check = createCatalogCheck(root, reader.read, { deadlineMs: 30_000, heapMb: 24 });
    try {
      const [before, bad, after] = await Promise.all([
        check.script("alpha", script()),
        check.script("bad", large),
        check.script("omega", script()),
      ]);
      expect(bad).toEqual({ ok: false, reason: "it takes more than 24 MB to check" });
      expect([before, after]).toMatchObject([{ ok: true }, { ok: true }]);
    } finally {
      await check.close();
    }
  });

  it("a file that takes too much memory is a fault of its own in a catalog", async () => {
    writeGood();
    write("bad.json", script({ app_values: { list: items(300_000, {}) } }));
    const limits = { files: 10, keptBytes: 128 * 1024 * 1024, check: { deadlineMs: 30_000, heapMb: 24 } };
    const catalog = await openCatalogDirectory(root, limits);
    expect(catalog.entry("bad")).toMatchObject({ dictionary: null, problems: [{ code: "CATALOG_FILE_UNCHECKED" }] });
    expect(catalog.entry("alpha")?.dictionary).not.toBeNull();
    expect(catalog.entry("omega")?.dictionary).not.toBeNull();
  });

  it("closed in the middle of a file, it ends", async () => {
    const check = createCatalogCheck(root, reader.read);
    const asked = check.script("alpha", texts("QUESTION("));
    await check.close();
    expect(await asked).toEqual({ ok: false, reason: "the check was ended" });
  });
});

fuzz("a directory of odd files hides no good one", 8, () => {
  const kind = fc.constantFrom("folder", "pipe", "link-out", "link-loop", "dangling", "sparse", "text", "device");
  return fc.asyncProperty(
    fc.array(fc.tuple(kind, fc.string({ unit: "binary", maxLength: 40 })), { maxLength: 6 }),
    async (odd) => {
      const folder = mkdtempSync(join(root, "fuzz-"));
      writeFileSync(join(folder, "good.json"), script());
      for (const [index, [made, text]] of odd.entries()) {
        const path = join(folder, `odd${index}.json`);
        if (made === "folder") mkdirSync(path);
        else if (made === "pipe") execFileSync("mkfifo", [path]);
        else if (made === "link-out") symlinkSync("/etc/passwd", path);
        else if (made === "link-loop") symlinkSync(path, path);
        else if (made === "dangling") symlinkSync(join(folder, "nowhere"), path);
        else if (made === "device") symlinkSync("/dev/zero", path);
        else {
          writeFileSync(path, made === "text" ? text : "");
          if (made === "sparse") truncateSync(path, 2 ** 33);
        }
      }
      const catalog = await openCatalogDirectory(folder);
      expect(catalog.entry("good")?.dictionary).not.toBeNull();
      for (const [index] of odd.entries()) expect(catalog.entry(`odd${index}`)?.dictionary).toBeNull();
      rmSync(folder, { recursive: true });
    },
  );
});
