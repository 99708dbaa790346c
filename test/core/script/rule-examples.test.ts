import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { parseScriptFile } from "../../../src/adapters/catalog/catalog-script.ts";
import { createScriptCheck } from "../../../src/adapters/catalog/file-check/script-check.ts";
import { createSourceReader } from "../../../src/adapters/catalog/script-source.ts";
import { CODES } from "../../../src/core/codes/codes.ts";
import { MACRO_CODES } from "../../../src/core/codes/macro.ts";
import type { Severity } from "../../../src/core/codes/problems.ts";
import type { CodeText } from "../../../src/core/codes/row.ts";
import { SCRIPT_CODES } from "../../../src/core/codes/script.ts";
import { isJsonObject, type Json } from "../../../src/core/json/json.ts";

const root = mkdtempSync(join(tmpdir(), "slipway-examples-"));
afterAll(() => rmSync(root, { recursive: true }));
const reader = createSourceReader();
afterAll(reader.rest);
const check = createScriptCheck(root, reader.read);

async function codesOf(text: string, { info = true } = {}): Promise<string[]> {
  const { problems } = await parseScriptFile({ appId: "example", text }, check);
  return problems.filter(({ severity }) => info || severity !== "info").map(({ code }) => code);
}

/** Rows without a text that could show them. */
const SHOWN_ELSEWHERE = [
  "SCRIPT_TOO_DEEP",
  "SCRIPT_TOO_LARGE",
  "SCRIPT_TEXT_TOO_LONG",
  "SCRIPT_TOO_MANY_VALUES",
  "SCRIPT_TOO_MANY_DECLARED",
  "SCRIPT_PROBLEMS_TOO_MANY",
  "SCRIPT_APP_ID_INVALID",
];

describe("every row of the rule table has examples that are true", () => {
  const rows: [string, CodeText & { severity?: Severity }][] = Object.entries(SCRIPT_CODES);
  for (const [code, { bad, good, see, severity }] of rows) {
    if (SHOWN_ELSEWHERE.includes(code)) continue;
    it(`${code} is what its bad example has, and its good one has nothing`, async () => {
      expect(see).toBeTruthy();
      expect([...new Set(await codesOf(bad ?? "", { info: severity === "info" }))]).toEqual([code]);
      expect(await codesOf(good ?? "")).toEqual([]);
    });
  }
});

describe("every row about macros has examples that are true", () => {
  const rows: [string, CodeText][] = Object.entries(MACRO_CODES);
  for (const [code, { bad, good }] of rows) {
    if (bad !== undefined) {
      it(`${code} is what its bad example has`, async () => expect(await codesOf(asScript(bad))).toContain(code));
    }
    if (good !== undefined) {
      it(`${code} is not in its good example`, async () => expect(await codesOf(asScript(good))).not.toContain(code));
    }
  }
});

/** A macro's example is app values, a directory entry, or a part of a script. */
function asScript(example: string): string {
  const part: Json = JSON.parse(example);
  const isPart = isJsonObject(part) && ("requirements" in part || "installation_questions" in part);
  const isDirectory = isJsonObject(part) && "path" in part;
  const base = { version: 6, script: { version: "1.0.0" }, requirements: { locations: ["Media"] }, app_values: {} };
  if (isPart) return JSON.stringify({ ...base, ...part });
  return JSON.stringify({ ...base, ...(isDirectory ? { ensure_directories_exists: [part] } : { app_values: part }) });
}

it("every code has a title and a hint in the imperative, without full stops", () => {
  for (const [code, { title, hint }] of Object.entries<CodeText>(CODES)) {
    expect(title, code).toMatch(/^\S.*[^.]$/s);
    expect(hint, code).toMatch(/^\S.*[^.]$/s);
  }
});
