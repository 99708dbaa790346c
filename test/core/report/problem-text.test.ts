import { describe, expect, it } from "vitest";
import { formatProblem, renderCodeFrame } from "../../../src/core/report/problem-text.ts";

describe("a code frame", () => {
  it("underlines one place beyond the end of a line, and of an empty text", () => {
    expect(renderCodeFrame("{", { line: 1, column: 2, length: 1 })).toBe("  1 | {\n    |  ^");
    expect(renderCodeFrame("", { line: 1, column: 1, length: 0 })).toBe("  1 | \n    | ^");
  });

  it("keeps tabs, so that the underline stands below whatever their width", () => {
    expect(renderCodeFrame('\t\t"a"', { line: 1, column: 3, length: 3 })).toBe('  1 | \t\t"a"\n    | \t\t^^^');
  });

  it("leaves the carriage return of CRLF out and underlines no further than the line", () => {
    expect(renderCodeFrame("a\r\nbc\r\n", { line: 2, column: 2, length: 50 })).toBe("  2 | bc\n    |  ^");
  });

  it("shows a window of a long line around the place", () => {
    const text = `${"x".repeat(500)}HERE${"y".repeat(500)}`;
    const [shown, carets] = renderCodeFrame(text, { line: 1, column: 501, length: 4 })?.split("\n") ?? [];
    const at = shown?.indexOf("HERE");
    expect(carets?.indexOf("^^^^")).toBe(at);
    expect(shown?.length).toBeLessThan(175);
    expect(shown).toMatch(/^ {2}1 \| …x+HEREy+…$/);
  });

  it("aligns the gutter of line numbers of any width", () => {
    const text = "\n".repeat(99).concat("here");
    expect(renderCodeFrame(text, { line: 100, column: 1, length: 4 })).toBe("  100 | here\n      | ^^^^");
  });

  it("is left out where the text has no such line", () => {
    expect(renderCodeFrame("one line", { line: 9, column: 1, length: 1 })).toBeNull();
  });
});

it("a problem is a header, a frame, related places and the hint", () => {
  const place = { path: [], line: 1, column: 1, length: 1 };
  const problem = {
    code: "HOOK_ID_DUPLICATE",
    severity: "error",
    message: "twice",
    ...place,
    hint: "rename it",
    related: [{ ...place, message: "the first one" }],
  } as const;
  expect(formatProblem("a.json", "{}", problem)).toBe(
    "a.json:1:1: error HOOK_ID_DUPLICATE: twice\n  1 | {}\n    | ^\n  a.json:1:1: the first one\n  hint: rename it",
  );
  expect(formatProblem("a.json", null, problem)).not.toContain("^");
});
