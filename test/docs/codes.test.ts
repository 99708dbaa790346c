import { describe, expect, it } from "vitest";
import { escapeCell, readPart } from "../../scripts/documents/document-part.ts";
import { CHECK_CODES } from "../../src/core/codes/check.ts";
import { CODES } from "../../src/core/codes/codes.ts";
import { MACRO_CODES } from "../../src/core/codes/macro.ts";
import { AUDIENCES } from "../../src/core/codes/row.ts";
import { SCRIPT_CODES } from "../../src/core/codes/script.ts";
import { VALUE_CODES } from "../../src/core/codes/value.ts";

/** The cells of each row, by code. */
const ROWS = readPart({ file: "docs/operating.md", name: "codes" })
  .split("\n")
  .filter((line) => line.startsWith("| `"))
  .map((line) => {
    const [, code = "", means = "", advice = "", who = ""] = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
    return { code: code.replaceAll("`", ""), means, advice, who };
  });

/** What only an author meets: it has its own pages. */
const AUTHORS = new Set(Object.keys({ ...SCRIPT_CODES, ...MACRO_CODES, ...CHECK_CODES, ...VALUE_CODES }));
const SEEN = Object.entries(CODES).filter(([code]) => !AUTHORS.has(code));

describe("the codes of docs/operating.md", () => {
  it("are all an owner or an embedder may see, each once", () => {
    expect(ROWS.map(({ code }) => code).toSorted()).toEqual(SEEN.map(([code]) => code).toSorted());
  });

  it.each(SEEN)("%s says what it means, what to do and who", (code, row) => {
    const found = ROWS.find((each) => each.code === code);
    expect(found).toMatchObject({ means: escapeCell(row.title), advice: escapeCell(row.hint), who: row.audience });
    expect(AUDIENCES).toContain(found?.who);
    // an advice is something to do, not a word
    expect(row.hint.split(" ").length).toBeGreaterThan(2);
    expect(row.hint).not.toBe(row.title);
  });

  it.each(SEEN)("%s leads on to a page, where it names one", (_, row) => {
    if ("see" in row) expect(row.see).toMatch(/^docs\/[\w-]+\.md/);
  });
});
