/** The journals every release has left are played by this build: to the same end, with nothing live. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Sandbox } from "../../../sandbox/contract.ts";
import { readJournalFile } from "../../../sandbox/journal/journal-file.ts";
import { createSandbox } from "../../../sandbox/sandbox.ts";
import { sumFiles } from "../../support/sum-files.ts";
import { createClosedIo, GOLDEN, playGolden, readGolden } from "./golden.ts";

const scriptIo = createClosedIo();
let sandbox: Sandbox;
beforeAll(() => {
  sandbox = createSandbox({ allowWeakSandbox: true, scriptIo });
});
afterAll(() => sandbox.close());

const releases = readdirSync(GOLDEN);
const journals = releases.flatMap((release) =>
  readdirSync(join(GOLDEN, release))
    .filter((name) => name.endsWith(".jsonl"))
    .map((name) => ({ name: `${release}/${name}`, path: join(GOLDEN, release, name) })),
);

function read(path: string) {
  const text = readFileSync(path, "utf8");
  return { text, code: readFileSync(path.replace(/jsonl$/, "ts"), "utf8"), golden: readGolden(text) };
}

test("this release has journals, one for each of its scripts", () => {
  const { version } = JSON.parse(readFileSync("package.json", "utf8"));
  const names = readdirSync(join(GOLDEN, version));
  const scripts = names.filter((name) => name.endsWith(".ts"));
  expect(scripts.length).toBeGreaterThan(2);
  expect(names.filter((name) => name.endsWith(".jsonl"))).toEqual(scripts.map((name) => name.replace(/ts$/, "jsonl")));
});

test.each(releases)("those of %s are the ones that were made", (release) => {
  expect(existsSync(join(GOLDEN, release, "SHA256SUMS"))).toBe(true);
  expect(readFileSync(join(GOLDEN, release, "SHA256SUMS"), "utf8")).toBe(sumFiles(join(GOLDEN, release)));
});

describe.each(journals)("$name", ({ path }) => {
  test("is played to its end, and nothing live happens", async () => {
    const { code, golden } = read(path);
    expect(golden.file.rows.length).toBeGreaterThan(2);
    expect(await playGolden(sandbox, code, golden, golden.file)).toEqual({
      outcome: golden.meta.outcome,
      lines: [],
      calls: [],
    });
    expect(scriptIo.opened).toBe(0);
  });

  test("with one byte of its file changed, anywhere, is no journal", () => {
    const { text } = read(path);
    const bytes = Buffer.from(text);
    const step = Math.max(1, Math.floor(bytes.byteLength / 100));
    for (let at = 0; at < bytes.byteLength; at += step) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(readJournalFile(changed.toString()), `byte ${at}`).toHaveProperty("damage");
    }
  });

  test("with one byte of any row changed is refused", async () => {
    const { code, golden } = read(path);
    const { rows, head } = golden.file;
    for (const [at, row] of rows.entries()) {
      const text = row.text.replace(/\d(?=\D*$)/, (digit) => String((Number(digit) + 1) % 10));
      expect(text).not.toBe(row.text);
      const played = await playGolden(sandbox, code, golden, { rows: rows.with(at, { ...row, text }), head });
      expect(played).toMatchObject({ outcome: { reason: "replay_diverged" }, lines: [], calls: [] });
    }
    expect(scriptIo.opened).toBe(0);
  });
});
