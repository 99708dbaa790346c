/** Scenarios of authors: what is expected, and where it is said. */
import { execFileSync } from "node:child_process";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import type { Scenarios } from "../../src/check/scenarios/check-api.d.ts";
import { readScenarios } from "../../src/check/scenarios/read-scenarios.ts";
import { ScenarioFile } from "../../src/check/scenarios/scenario-file.ts";
import type { Problem } from "../../src/core/codes/problems.ts";
import { playApp, worlds } from "../support/check/play.ts";
import { readDocument } from "../support/document.ts";
import { dictionaryOf, rawHook, rawScript } from "../support/scripts/scripts.ts";
import { useTestFolder } from "../support/test-folder.ts";

const folder = useTestFolder();

const SET_UP = `export async function run(ctx) {
  await ctx.registerCheckpoints([{ id: "up", message: "Up" }]);
  const answer = await fetch(ctx.baseUrl + "/api/setup", { method: "POST", body: ctx.getInput("name") });
  if (!answer.ok) ctx.fail("refused");
  await ctx.emitCheckpoint("up");
}`;

const APP = rawScript({
  requirements: { ports: [30_112] },
  installation_questions: [{ question: "?", type: "text", key: "who", default: "eve" }],
  app_values: {
    network: { web_port: { bind_mode: "published", port_number: 30_112 } },
    who: "$QUESTION(who)",
    list: [{ a: 1, b: 2 }],
    memory: "$MEMORY(50%, 1)",
    gpus: "$GPU_CONFIG()",
  },
  hooks: [
    rawHook({
      id: "set-up",
      events: ["onAfterInstall"],
      rerun: undefined,
      userOptional: {},
      inputs: [{ type: "question", id: "name", question: { question: "?", type: "text", key: "name", default: "x" } }],
      scriptContent: SET_UP,
    }),
  ],
});
const FAKE = [{ method: "POST", path: "/api/setup" }];

/** A type as nobody changes it; any JSON is one thing. */
type Shape<T> = null extends T
  ? "json"
  : T extends object
    ? { readonly [K in keyof T]: Shape<Exclude<T[K], undefined>> }
    : T;

/** The findings of level 4, each as `LINE:COLUMN CODE MESSAGE`; a file that is no text is written as JSON, an item a line. */
async function play(file: unknown): Promise<readonly string[]> {
  folder.write("app.json", APP);
  folder.write("standin/app.json", FAKE);
  folder.write("app.check.json", typeof file === "string" ? file : JSON.stringify({ scenarios: file }, null, 1));
  const report = await playApp(folder.path, "app", 4);
  return report.levels.flatMap(({ findings }) => listFound(findings));
}

/** What there is for the app without playing it. */
async function read() {
  const dictionary = dictionaryOf("app", APP);
  const app = { appId: "app", root: folder.path, file: "app.json", text: "", dictionary, problems: [], earlier: [] };
  return await readScenarios(app, worlds.scenarios, new AbortController().signal);
}

function listFound(problems: readonly Problem[]): readonly string[] {
  return problems.map(({ file, line, column, code, message }) => `${file}:${line}:${column} ${code} ${message}`);
}

it("holds where everything is as expected", async () => {
  const scenarios = [
    {
      name: "second attempt",
      host: "nvidia",
      answers: { who: "ada" },
      inputs: { "set-up": { name: "n" } },
      fake: [{ method: "POST", path: "/api/setup", status: 503, times: 1 }],
      presses: ["retry"],
      expect: {
        values: { who: "ada", list: [{ b: 2 }], memory: 131_072, gpus: { use_all_gpus: true } },
        requests: [
          { path: "/api/*", times: 2 },
          { method: "POST", path: "/api/setup" },
        ],
        hooks: { "set-up": "COMPLETED" },
        checkpoints: { "set-up": { up: "COMPLETED" } },
      },
    },
    { name: "skipped", fake: [{ path: "/api/setup", status: 500 }], expect: { hooks: { "set-up": "SKIPPED" } } },
    { name: "no consent", consents: { "set-up": false }, expect: { requests: [{ path: "/api/setup", times: 0 }] } },
  ];
  expect(await play(scenarios)).toEqual([]);
});

it("a wrong expectation fails at its place, whatever is expected", async () => {
  const expected = {
    state: "FAILED",
    values: { who: "ada", list: [{ a: 2 }], gone: 1 },
    requests: [{ path: "/api/setup", times: 2 }, { path: "/never" }],
    hooks: { "set-up": "SKIPPED" },
    checkpoints: { "set-up": { up: "SKIPPED", none: "COMPLETED" } },
  };
  const text = JSON.stringify({ scenarios: [{ name: "wrong", expect: expected }] }, null, 1);
  const unmet = (key: string, value: string, message: string) => {
    const before = text.slice(0, text.indexOf(key + value) + key.length).split("\n");
    const place = `${before.length}:${(before.at(-1) ?? "").length + 1}`;
    return `app.check.json:${place} CHECK_EXPECTATION_UNMET scenario "wrong": expected is ${message}`;
  };
  expect(await play(text)).toEqual([
    unmet('"state": ', '"', "FAILED, and the install is COMPLETED"),
    unmet('"who": ', '"', '"ada", and it is "eve"'),
    unmet('"a": ', "2", "2, and it is 1"),
    unmet('"gone": ', "1", "1, and it is missing"),
    unmet('"requests": [\n     ', "{", "any method /api/setup 2 times, and it was asked 1 times"),
    unmet("},\n     ", '{\n      "path": "/never"', "any method /never once or more, and it was asked 0 times"),
    unmet('"set-up": ', '"', "SKIPPED, and the hook is COMPLETED"),
    unmet('"up": ', '"', "SKIPPED, and the checkpoint is COMPLETED"),
    unmet('"none": ', '"', "COMPLETED, and the checkpoint is not there"),
  ]);
});

describe("a file that can't be read as scenarios is refused at its place", () => {
  it.each([
    ["{", /^app\.check\.json:1:2 CHECK_SCENARIO_INVALID /],
    ["[]", /^app\.check\.json:1:1 CHECK_SCENARIO_INVALID /],
    ['{"scenarios": []}', /^app\.check\.json:1:15 CHECK_SCENARIO_INVALID "scenarios": /],
    ['{"scenarios": [{"name": "a", "hots": "small"}]}', /:1:\d+ CHECK_SCENARIO_INVALID "scenarios\.0": .*hots/],
    ['{"scenarios": [{"name": "a", "host": "tiny"}]}', /:1:38 CHECK_SCENARIO_INVALID "scenarios\.0\.host": /],
    ['{"scenarios": [{"name": "a", "fake": [{"path": "api"}]}]}', /:1:48 CHECK_SCENARIO_INVALID .*allowed is a path/],
    ['{"scenarios": [{"name": "a", "answers": {"whom": "a"}}]}', /:1:50 .* the script has no question "whom"$/],
    ['{"scenarios": [{"name": "a", "consents": {"x": true}}]}', /:1:48 .* has no hook with a consent "x"$/],
    ['{"scenarios": [{"name": "a", "inputs": {"x": {}}}]}', /:1:46 .* has no hook "x"$/],
    ['{"scenarios": [{"name": "a", "inputs": {"set-up": {"x": 1}}}]}', /:1:57 .* has no input of "set-up" "x"$/],
    ['{"scenarios": [{"name": "a", "expect": {"hooks": {"x": "FAILED"}}}]}', /:1:56 .* has no hook "x"$/],
    ['{"scenarios": [{"name": "a", "expect": {"checkpoints": {"x": {}}}}]}', /:1:62 .* has no hook "x"$/],
  ])("%s", async (text, message) => {
    folder.write("app.check.json", text);
    const { scenarios, problems } = await read();
    expect([scenarios, listFound(problems)]).toEqual([[], [expect.stringMatching(message)]]);
  });

  it("a refused answer, at its scenario", async () => {
    const found = await play('{"scenarios": [{"name": "a", "answers": {"who": {"a": 1}}}]}');
    expect(found).toEqual([
      expect.stringMatching(/:1:16 CHECK_EXPECTATION_UNMET scenario "a": the install is refused: /),
    ]);
  });

  it("a pipe in its place", async () => {
    execFileSync("mkfifo", [join(folder.path, "app.check.json")]);
    folder.write("app.json", rawScript());
    const report = await playApp(folder.path, "app", 4);
    expect(report.levels.at(-1)?.findings).toMatchObject([{ code: "CATALOG_FILE_UNREADABLE", file: "app.check.json" }]);
  });
});

it("the page's example is a file of scenarios", () => {
  const [, example = ""] = /```json scenarios\n(.*?)```/s.exec(readDocument("docs/checking.md")) ?? [];
  expect(z.safeParse(ScenarioFile, JSON.parse(example)).error).toBeUndefined();
});

describe("in TypeScript", () => {
  it("is evaluated with what it imports; what is not as expected stands where the scenario's name is written", async () => {
    folder.write("names.ts", 'export const NAME: string = "ada";');
    folder.write("app.json", APP);
    folder.write("standin/app.json", FAKE);
    folder.write(
      "app.check.ts",
      `import { NAME } from "./names";
import type { Scenarios } from "./.slipway/check-api.d.ts";

const named = (who: string) => ({ name: \`\${who} is\`, answers: { who }, expect: { values: { who } } });
export default async function list(): Promise<Scenarios> {
  await new Promise((resolve) => setTimeout(resolve, 1));
  const wrong = { name: "wrong", expect: { values: { list: [{ a: 2 }] }, hooks: { "set-up": "SKIPPED" as const } } };
  return { scenarios: [named(NAME), wrong] };
}`,
    );
    const report = await playApp(folder.path, "app", 4);
    expect(report.levels.flatMap(({ findings }) => listFound(findings))).toEqual([
      'app.check.ts:7:25 CHECK_EXPECTATION_UNMET scenario "wrong": expected is SKIPPED, and the hook is COMPLETED (expect.hooks.set-up)',
      'app.check.ts:7:25 CHECK_EXPECTATION_UNMET scenario "wrong": expected is 2, and it is 1 (expect.values.list.0.a)',
    ]);
  });

  const ENDLESS = `const loop: any = () => ({ get name() { for (;;); } });`;
  it.each([
    [
      "nothing exported",
      "export const scenarios = [];",
      /^app\.check\.ts:1:1 CHECK_SCENARIO_INVALID .* no default export/,
    ],
    ["no value", "export default undefined;", /^app\.check\.ts:1:1 CHECK_SCENARIO_INVALID /],
    [
      "a wrong one",
      'export default { scenarios: [\n{ name: "a", host: "tiny" }] };',
      /^app\.check\.ts:2:9 .*scenarios\.0\.host/,
    ],
    [
      "unknown names",
      "const name = 'a';\nexport default { scenarios: [{ name, answers: { whom: 1 } }] };",
      /:1:14 .* no question "whom"/,
    ],
    ["no TypeScript", "export default {\n  ;", /^app\.check\.ts:2:3 SANDBOX_/],
    [
      "a throw",
      'import { fail } from "./fail";\nexport default fail();',
      /^fail\.ts:2:\d+ CHECK_SCENARIO_INVALID "app\.check\.ts" can't be evaluated: its code throws: oops$/,
    ],
    [
      "a forged stack",
      'const error = new Error("no");\nerror.stack = "Error\\n at (/etc/passwd:7:7)";\nthrow error;\nexport default 1;',
      /^app\.check\.ts:1:1 .* throws: no$/,
    ],
    [
      "a file outside",
      'import "../../../etc/passwd.json";\nexport default {};',
      /^app\.check\.ts:1:8 SANDBOX_FILE_OUTSIDE /,
    ],
    [
      "a module of Node's",
      'import { spawn } from "node:child_process";\nexport default spawn;',
      /^app\.check\.ts:1:\d+ SANDBOX_IMPORT_FORBIDDEN /,
    ],
    [
      "reading",
      'import { readFileSync } from "node:fs";\nexport default readFileSync("/etc/passwd");',
      /^app\.check\.ts:\d:\d+ CHECK_SCENARIO_INVALID .*can't be evaluated/,
    ],
    ["asking", 'export default fetch("http://127.0.0.1:1/");', /reaches no network, file or database$/],
    ["an endless loop", "for (;;);\nexport default {};", /computed longer than the allowed 1 s at a stretch/],
    ["an endless getter", `${ENDLESS}\nexport default { scenarios: [loop()] };`, /computed longer than/],
    [
      "no end",
      "export default new Promise(() => {});",
      /^app\.check\.ts:1:1 .*(ran longer than the allowed 5 s|never)/,
    ],
    [
      "all memory",
      "const all = [];\nfor (;;) all.push(new Array(1e6).fill(all.length));\nexport default {};",
      /memory/,
    ],
    [
      "a huge value",
      'export default { scenarios: "x".repeat(600_000) };',
      /the result is 6\d+ bytes of JSON, more than the 524288 allowed$/,
    ],
    [
      "a circle",
      "const circle: any = {};\ncircle.me = circle;\nexport default circle;",
      /the result cannot be written as JSON/,
    ],
    [
      "a prototype",
      'export default JSON.parse(\'{"__proto__": {"scenarios": []}}\');',
      /^app\.check\.ts:1:1 CHECK_SCENARIO_INVALID /,
    ],
    [
      "thousands of faults",
      "export default { scenarios: new Array(20_000).fill(1) };",
      /^app\.check\.ts:1:1 CHECK_SCENARIO_INVALID "scenarios/,
    ],
  ])("%s is a clear line", async (_what, text, message) => {
    folder.write("fail.ts", 'export function fail() {\n  throw new Error("oops");\n}');
    folder.write("app.check.ts", text);
    const { scenarios, problems } = await read();
    const found = listFound(problems);
    expect([scenarios, found[0]]).toEqual([[], expect.stringMatching(message)]);
    expect(found.length).toBeLessThanOrEqual(20);
  });

  it("is refused beside a file in JSON", async () => {
    folder.write("app.check.json", { scenarios: [{ name: "a" }] });
    folder.write("app.check.ts", 'export default { scenarios: [{ name: "a" }] };');
    expect(listFound((await read()).problems)).toEqual([
      'app.check.ts:1:1 CHECK_SCENARIO_INVALID the scenarios of "app" are in "app.check.json" too: one of the two files has to go',
    ]);
  });

  it("the author's types are those of the schema", () => {
    expectTypeOf<Shape<Scenarios>>().toEqualTypeOf<Shape<z.input<typeof ScenarioFile>>>();
  });

  it("the page's example comes out as it says", async () => {
    const [, example = ""] = /```ts scenarios\n(.*?)```/s.exec(readDocument("docs/checking.md")) ?? [];
    cpSync("scripts/demo/catalog/demo-notes.json", join(folder.path, "demo-notes.json"));
    cpSync("scripts/demo/catalog/standin", join(folder.path, "standin"), { recursive: true });
    folder.write("demo-notes.check.ts", example);
    const report = await playApp(folder.path, "demo-notes", 4);
    expect(listFound(report.levels[3]?.findings ?? [])).toEqual([]);
    // one without a scenario, and two with
    expect(report.levels[3]?.runs.filter(({ depth }) => depth === 0)).toHaveLength(3);
  });
});
