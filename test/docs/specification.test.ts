/** The rules of docs/specification.md: each has a test, and no row of the specification is left out. */
import { beforeAll, describe, expect, it } from "vitest";
import { SECTIONS } from "../specification/rules/sections.ts";
import { listTitles } from "../support/list-titles.ts";
import { readSpecificationRows } from "../support/specification-rows.ts";

const RULES = SECTIONS.flatMap(({ title, rules }) =>
  rules.map(([row, rule, test]) => ({ name: `${title}, ${row}: ${rule}`, row, rule, test })),
);
const ROWS = readSpecificationRows();

/** The rows of a section as its tables and lists have them: without sentences, each once however many rules it has. */
function rowsOf(section: string): readonly string[] {
  const rules = SECTIONS.find(({ title }) => title === section)?.rules ?? [];
  return rules
    .map(([row]) => row.split(" ").at(-1) ?? "")
    .filter((row) => row !== "text")
    .filter((row, index, all) => row !== all[index - 1]);
}

describe("the rules of docs/specification.md", () => {
  let titles: ReadonlyMap<string, readonly string[]>;
  beforeAll(() => {
    titles = listTitles([...new Set(RULES.flatMap(({ test }) => (test === null ? [] : [test.file])))]);
  }, 300_000);

  it("have a name each", () => {
    const names = RULES.map(({ name }) => name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it.each(RULES)("have a test each: $name", ({ test }) => {
    expect(test).not.toBeNull();
    const found = titles.get(test?.file ?? "") ?? [];
    const held = found.filter((title) => ` > ${title} > `.includes(` > ${test?.title} > `));
    expect(held, `${test?.file} has no test "${test?.title}"`).not.toEqual([]);
  });
});

describe.skipIf(ROWS === null)("the specification", () => {
  it("has no section that is not listed", () => {
    expect(SECTIONS.map(({ title }) => title).toSorted()).toEqual([...(ROWS?.keys() ?? [])].toSorted());
  });

  it.each([...(ROWS ?? [])].map(([section, rows]) => ({ section, rows })))(
    "has no row without a rule: $section",
    ({ section, rows }) => {
      expect(rowsOf(section)).toEqual(rows);
    },
  );
});
