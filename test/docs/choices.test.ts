import { beforeAll, describe, expect, it } from "vitest";
import { readDocument } from "../support/document.ts";
import { listTitles } from "../support/list-titles.ts";

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

describe("the choices of docs/choices.md", () => {
  let titles: ReadonlyMap<string, readonly string[]>;
  beforeAll(() => {
    titles = listTitles([...new Set(CHOICES.map(({ file }) => file))]);
  }, 300_000);

  it("are there", () => {
    expect(CHOICES.length).toBeGreaterThan(200);
  });

  it.each(CHOICES)("have a test of their name: $name", ({ name, file }) => {
    const found = titles.get(file)?.filter((title) => title.replaceAll(" > ", " ").includes(name)) ?? [];
    expect(found, `no test of ${file} has this in its title: ${name}`).not.toEqual([]);
  });

  it("have a name each", () => {
    const names = CHOICES.map(({ name }) => name);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  });
});
