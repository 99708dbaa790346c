/** Scenarios of authors: what is expected, and where it is said. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { readScenarios } from "../../src/check/scenarios/read-scenarios.ts";
import { ScenarioFile } from "../../src/check/scenarios/scenario-file.ts";
import type { Problem } from "../../src/core/codes/problems.ts";
import { playApp } from "../support/check/play.ts";
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

/** The findings of level 4, each as `LINE:COLUMN CODE MESSAGE`; a file that is no text is written as JSON, an item a line. */
async function play(file: unknown): Promise<readonly string[]> {
  folder.write("app.json", APP);
  folder.write("standin/app.json", FAKE);
  folder.write("app.check.json", typeof file === "string" ? file : JSON.stringify({ scenarios: file }, null, 1));
  const report = await playApp(folder.path, "app", 4);
  return report.levels.flatMap(({ findings }) => listFound(findings));
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
    const dictionary = dictionaryOf("app", APP);
    const app = { appId: "app", root: folder.path, file: "app.json", text: "", dictionary, problems: [] };
    const { scenarios, problems } = await readScenarios(app);
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
