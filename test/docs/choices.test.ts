import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { readDocument } from "../support/document.ts";

interface Choice {
  readonly name: string;
  readonly file: string;
}

/** The rows of every table of the document, without headings. */
const CHOICES: readonly Choice[] = readDocument("docs/choices.md")
  .split("\n")
  .filter((line) => line.startsWith("| ") && !line.startsWith("| Choice |"))
  .map((line) => {
    const cells = line.split("|").map((cell) => cell.trim());
    const [, name = "", , file = ""] = cells;
    if (cells.length !== 5 || !/^`test\/[\w/-]+\.test\.ts`$/.test(file)) throw new Error(`not a choice: ${line}`);
    return { name, file: file.slice(1, -1) };
  });

const Listed = z.array(z.object({ name: z.string(), file: z.string() }));

/** The titles of each file's tests, read as a sentence with what they stand under; the files are loaded, not run. */
function titlesOf(files: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), "slipway-choices-"));
  try {
    const list = join(folder, "tests.json");
    // Rows of tables have their titles only once the file was loaded.
    // One process loads them all: what they share is loaded once.
    const args = ["vitest", "list", `--json=${list}`, "--no-static-parse", "--no-isolate", "--maxWorkers=1", ...files];
    const { status, stderr } = spawnSync("npx", ["--no-install", ...args], { encoding: "utf8" });
    if (status !== 0) throw new Error(`the tests can't be listed: ${stderr}`);
    const tests = Listed.parse(JSON.parse(readFileSync(list, "utf8")));
    const byFile = Map.groupBy(tests, ({ file }) => relative(process.cwd(), file));
    return new Map([...byFile].map(([file, listed]) => [file, listed.map(({ name }) => name.replaceAll(" > ", " "))]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe("the choices of docs/choices.md", () => {
  let titles: ReadonlyMap<string, readonly string[]>;
  beforeAll(() => {
    titles = titlesOf([...new Set(CHOICES.map(({ file }) => file))]);
  }, 300_000);

  it("are there", () => {
    expect(CHOICES.length).toBeGreaterThan(200);
  });

  it.each(CHOICES)("have a test of their name: $name", ({ name, file }) => {
    const found = titles.get(file)?.filter((title) => title.includes(name)) ?? [];
    expect(found, `no test of ${file} has this in its title: ${name}`).not.toEqual([]);
  });

  it("have a name each", () => {
    const names = CHOICES.map(({ name }) => name);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  });
});
