import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Ajv } from "ajv";
import { afterAll, describe, expect, it } from "vitest";
import { runCommand } from "../support/command-line.ts";
import { rawHook, rawScript } from "../support/scripts/scripts.ts";

const FIXTURES = "test/fixtures/validate";
const directory = mkdtempSync(join(tmpdir(), "slipway-validate-"));
afterAll(() => rmSync(directory, { recursive: true }));

function script(name: string, changes: Record<string, unknown>): string {
  const file = join(directory, name);
  writeFileSync(file, JSON.stringify(rawScript(changes)));
  return file;
}

describe("validate as text", () => {
  const names = readdirSync(FIXTURES).filter((name) => name.endsWith(".json"));
  for (const name of names) {
    it(`prints exactly what stands beside ${name}`, async () => {
      const { stdout, stderr } = await runCommand("validate", `${FIXTURES}/${name}`);
      await expect(stdout).toMatchFileSnapshot(`../fixtures/validate/${name.replace(/\.json$/, ".txt")}`);
      expect(stderr).toBe("");
    });
  }
});

describe("validate as json", () => {
  it("every problem is printed, with the files in order, whether each is usable, and the summary", async () => {
    const { stdout, exitCode } = await runCommand("validate", FIXTURES, "--format", "json");
    const { files, summary } = JSON.parse(stdout);
    expect(exitCode).toBe(1);
    expect(files.map(({ file, version, usable }: Record<string, unknown>) => [file, version, usable])).toEqual([
      [`${FIXTURES}/broken-hooks.json`, 6, false],
      [`${FIXTURES}/long-line.json`, 6, true],
      [`${FIXTURES}/sound.json`, 6, true],
      [`${FIXTURES}/syntax.json`, null, false],
      [`${FIXTURES}/version-3.json`, 3, false],
    ]);
    expect(summary).toEqual({ files: 5, errors: 8, warnings: 6 });
    for (const { problems } of files) {
      for (const problem of problems) {
        expect(problem).toEqual({
          code: expect.stringMatching(/^[A-Z][A-Z0-9]*(_[A-Z0-9]+)+$/),
          severity: expect.stringMatching(/^(error|warning|info)$/),
          message: expect.any(String),
          path: expect.any(Array),
          line: expect.any(Number),
          column: expect.any(Number),
          length: expect.any(Number),
          hint: expect.any(String),
          ...("file" in problem ? { file: expect.any(String) } : {}),
          ...("related" in problem ? { related: expect.any(Array) } : {}),
        });
      }
    }
  });

  it("says the same twice", async () => {
    const first = await runCommand("validate", FIXTURES, "--format", "json");
    expect(await runCommand("validate", FIXTURES, "--format", "json")).toEqual(first);
  });

  it("a script whose hooks are dropped stays usable, and validate fails all the same", async () => {
    const file = script("dropped.json", { hooks: [rawHook({ rerun: undefined })] });
    const { stdout, exitCode } = await runCommand("validate", file, "--format", "json");
    expect(JSON.parse(stdout).files).toMatchObject([{ usable: true, problems: [{ code: "HOOK_RERUN_MISSING" }] }]);
    expect(exitCode).toBe(1);
  });
});

describe("the exit code of validate", () => {
  it("infos and warnings exit with 0, warnings with 1 under --strict", async () => {
    const sound = script("sound.json", {});
    const info = script("info.json", { hooks: [rawHook({ events: ["userAction", "onMoonrise"] })] });
    const warning = script("warning.json", { hoks: [] });
    const codes = async (...args: string[]) => (await runCommand("validate", ...args)).exitCode;
    expect(await codes(sound)).toBe(0);
    expect(await codes(info, "--strict")).toBe(0);
    expect(await codes(warning)).toBe(0);
    expect(await codes(sound, warning, "--strict")).toBe(1);
  });

  it("is 2 for a path that can't be read, with one JSON document that says so", async () => {
    const { stdout, stderr, exitCode } = await runCommand("validate", join(directory, "none.json"), "--format", "json");
    expect(exitCode).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: "CLI_FILE_UNREADABLE" } });
    expect(stderr).toBe("");
  });

  it("is 2 for an unknown format", async () => {
    expect((await runCommand("validate", FIXTURES, "--format", "xml")).exitCode).toBe(2);
  });

  it("is the process's", async () => {
    const run = promisify(execFile)(process.execPath, ["src/cli/bin.ts", "validate", `${FIXTURES}/version-3.json`]);
    await expect(run).rejects.toMatchObject({ code: 1, stdout: expect.stringContaining("SCRIPT_VERSION_DEPRECATED") });
  });
});

it("a file that is not UTF-8 is a problem of that file alone", async () => {
  const file = join(directory, "latin1.json");
  writeFileSync(file, Buffer.from('{"version": 6, "title": "\xe9"}', "latin1"));
  const { stdout } = await runCommand("validate", file, script("fine.json", {}), "--format", "json");
  const { files } = JSON.parse(stdout);
  expect(files.map(({ problems }: { problems: { code: string }[] }) => problems.map(({ code }) => code))).toEqual([
    [],
    ["CATALOG_FILE_NOT_UTF8"],
  ]);
});

describe("validate as sarif", () => {
  it("is a SARIF 2.1.0 log with a result for every problem", async () => {
    const { stdout } = await runCommand("validate", FIXTURES, "--format", "sarif");
    const log = JSON.parse(stdout);
    const valid = new Ajv({ strict: true, allErrors: true }).compile(
      JSON.parse(readFileSync("test/fixtures/schema/sarif-2.1.0-used-part.json", "utf8")),
    );
    expect(valid(log), JSON.stringify(valid.errors)).toBe(true);
    const { stdout: json } = await runCommand("validate", FIXTURES, "--format", "json");
    const problems = JSON.parse(json).files.flatMap((file: { problems: { code: string }[] }) => file.problems);
    const [run] = log.runs;
    expect(run.results.map(({ ruleId }: { ruleId: string }) => ruleId)).toEqual(
      problems.map(({ code }: { code: string }) => code),
    );
    for (const { ruleId, ruleIndex } of run.results) expect(run.tool.driver.rules[ruleIndex].id).toBe(ruleId);
  });
});

describe("explain", () => {
  it("prints title, hint, place and both examples", async () => {
    const { stdout, exitCode } = await runCommand("explain", "hook_rerun_missing");
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(
      /^HOOK_RERUN_MISSING: [^\n]+\n {2}hint: add "rerun"[^\n]+\n {2}for: the author of the catalog\n {2}see: [^\n]+\n\nbad:\n {2}\{.+\n\ngood:\n {2}\{.+"rerun": "converge"/s,
    );
  });

  it("names the nearest code for one that does not exist, and ends with 2", async () => {
    const { stderr, exitCode } = await runCommand("explain", "HOOK_RERUN_MISING");
    expect(exitCode).toBe(2);
    expect(stderr).toContain('"HOOK_RERUN_MISSING" is');
    const { stdout } = await runCommand("explain", "X", "--format", "json");
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: "CLI_CODE_UNKNOWN", message: '"X" is not a code' } });
  });
});

it("the schema is JSON, whatever the format asked for", async () => {
  expect(await runCommand("schema", "--format", "json")).toEqual(await runCommand("schema"));
});

it("schema prints the JSON Schema that is checked in", async () => {
  const { stdout } = await runCommand("schema");
  expect(stdout).toBe(readFileSync("src/core/script/script.schema.json", "utf8"));
});
