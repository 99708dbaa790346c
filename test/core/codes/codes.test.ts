import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { isCode } from "../../../src/core/codes/code.ts";
import { CODES } from "../../../src/core/codes/codes.ts";
import { MACRO_CODES } from "../../../src/core/codes/macro.ts";
import type { CodeText } from "../../../src/core/codes/row.ts";
import { SCRIPT_CODES } from "../../../src/core/codes/script.ts";

/** Every word in capitals of the files under a folder. */
function codesIn(folder: string, files: RegExp): ReadonlySet<string> {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => files.test(name));
  const words = names.flatMap((name) => readFileSync(join(folder, name), "utf8").match(/\b[A-Z][A-Z0-9_]+\b/g) ?? []);
  return new Set(words);
}

it("every code of the registry is expected by a test, or proven by its own examples", () => {
  // the contract suites are tests too, which an embedder runs on his own ports
  const expected = codesIn("test", /\.(ts|json|txt)$/).union(codesIn("src/contract", /\.ts$/));
  // rule-examples.test.ts holds that each bad example produces its code.
  const byExample = Object.entries<CodeText>({ ...SCRIPT_CODES, ...MACRO_CODES });
  const shown = new Set(byExample.flatMap(([code, { bad }]) => (bad === undefined ? [] : [code])));
  const unproven = Object.keys(CODES).filter((code) => !expected.has(code) && !shown.has(code));
  expect(unproven).toEqual([]);
});

it("no code of the registry is dead: each is made somewhere", () => {
  const sources = ["src", "machines", "sandbox"].map((folder) => codesIn(folder, /(?<!codes\/\w+)\.ts$/));
  expect(Object.keys(CODES).filter((code) => !sources.some((words) => words.has(code)))).toEqual([]);
});

it.each([
  ["author", ["SCRIPT_JSON_SYNTAX", "HOOK_RERUN_MISSING", "MACRO_UNKNOWN", "SANDBOX_SYNTAX", "DIRECTORY_OUTSIDE"]],
  ["owner", ["ANSWER_REQUIRED", "REQUIREMENT_LOCATION_MISSING", "TASK_CONFLICT", "HOST_AUTH_FAILED"]],
  ["host", ["HOST_UNREACHABLE", "SANDBOX_UNAVAILABLE", "STORE_FULL", "REQUIREMENT_UNMET"]],
] as const)("the %s has to do something about what is theirs", (audience, codes) => {
  expect(codes.map((code) => [code, CODES[code].audience])).toEqual(codes.map((code) => [code, audience]));
});

it("what a script's own text shows is the author's", () => {
  const others = Object.keys({ ...SCRIPT_CODES, ...MACRO_CODES }).filter(isCode);
  expect(others.filter((code) => CODES[code].audience !== "author")).toEqual([]);
});
