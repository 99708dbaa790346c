/** Row 5: `validate` compiles hooks as the run time does, and an install says which it goes on without. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect } from "vitest";
import type { Problem } from "../../src/core/codes/problems.ts";
import { runCommand } from "../support/command-line.ts";
import { it, openWorld } from "../support/engine/engine-test.ts";
import { settledTask } from "../support/engine/engine-world.ts";
import { rawScript } from "../support/scripts/scripts.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "slipway-row5-"));
  mkdirSync(join(folder, "shared"));
  writeFileSync(
    join(folder, "shared/broken.ts"),
    "export const helper = 1;\nimport axios from 'axios';\naxios.get('/');\n",
  );
  writeFileSync(join(folder, "shared/good.ts"), "export async function ping(): Promise<number> { return 1; }\n");
  writeFileSync(
    join(folder, "good.ts"),
    'import { ping } from "./shared/good.ts";\nexport async function run() { await ping(); }\n',
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const hook = (scriptContent: string, more: Record<string, unknown> = {}) => ({
  id: "setup",
  title: "Set up",
  events: ["onAfterInstall"],
  entrypoint: "run",
  scriptContent,
  ...more,
});

/** Line, column and text of every problem `validate` shows of a script with this hook. */
async function problemsOf(declared: Record<string, unknown>): Promise<readonly string[]> {
  const file = join(folder, "demo.json");
  writeFileSync(file, JSON.stringify(rawScript({ hooks: [declared] }), null, 2));
  const { stdout } = await runCommand("validate", file, "--format", "json");
  const { files }: { files: { problems: Problem[] }[] } = JSON.parse(stdout);
  return files.flatMap(({ problems }) =>
    problems.map(({ code, severity, message }) => `${severity} ${code}: ${message}`),
  );
}

describe("validate, with the run time's own compiler,", () => {
  const run = "export async function run(ctx) {}";
  it.each([
    ["an import of a file that is not there", `import { a } from "./gone.ts";\n${run}\na();`, "SANDBOX_FILE_MISSING"],
    ["ws", `import WebSocket from "ws";\n${run}\nnew WebSocket("");`, "SANDBOX_IMPORT_FORBIDDEN"],
    ["child_process", `import { spawn } from "node:child_process";\n${run}\nspawn("ls");`, "SANDBOX_IMPORT_FORBIDDEN"],
    ["require", `${run}\nconst fs = require("fs");\nfs.readFileSync("/");`, "SANDBOX_IMPORT_FORBIDDEN"],
    ["top-level await", `await Promise.resolve();\n${run}`, "SANDBOX_SYNTAX"],
    ["a computed import", `const name = "./a.ts";\n${run}\nawait import(name);`, "SANDBOX_IMPORT_NOT_LITERAL"],
  ])("says what is wrong with %s", async (_, source, code) => {
    expect((await problemsOf(hook(source))).map((problem) => problem.split(":")[0])).toEqual([`error ${code}`]);
  });

  it("shows an import in the text of inline code, and one of a file in that file", async () => {
    const inline = JSON.stringify(
      rawScript({ hooks: [hook(`import axios from "axios";\n${run}\naxios();`)] }),
      null,
      2,
    );
    writeFileSync(join(folder, "inline.json"), inline);
    const deep = hook("", { scriptContent: undefined, script: "deep.ts" });
    writeFileSync(join(folder, "deep.ts"), `import { helper } from "./shared/broken.ts";\n${run}\nhelper;\n`);
    writeFileSync(join(folder, "deep.json"), JSON.stringify(rawScript({ hooks: [deep] })));
    const { stdout } = await runCommand("validate", join(folder, "inline.json"), join(folder, "deep.json"));
    const line = inline.split("\n").findIndex((text) => text.includes("axios")) + 1;
    const column = (inline.split("\n")[line - 1] ?? "").indexOf('\\"axios') + 1;
    expect(stdout).toContain(`${join(folder, "inline.json")}:${line}:${column}`);
    expect(stdout).toContain(`${join(folder, "shared/broken.ts")}:2:19`);
  });

  it("says nothing of a hook that compiles, with what it imports", async () => {
    expect(await problemsOf(hook("", { scriptContent: undefined, script: "good.ts" }))).toEqual([]);
  });

  it("says a syntax error once", async () => {
    expect(await problemsOf(hook("export async function run( {"))).toHaveLength(1);
  });
});

describe("an install", () => {
  async function marksOf(hooks: readonly Record<string, unknown>[], request = {}) {
    const world = await openWorld({ catalog: { demo: { hooks } } });
    const view = await settledTask(world.engine, (await world.engine.install("demo", request)).id);
    expect(view.state).toBe("COMPLETED");
    return view.marks;
  }

  const AXIOS = `import axios from "axios";\nexport async function run(ctx) { await axios.get("/"); }`;
  const dropped = {
    "does not compile": hook(AXIOS),
    "has a syntax error": hook("export async function run( {"),
    "names a file that is not there": hook("", { scriptContent: undefined, script: "gone.ts" }),
    "is invalid": hook("export async function run() {}", { rerun: "refuse" }),
  };

  it.each(Object.entries(dropped))("whose required hook %s goes on with a mark", async (_, declared) => {
    expect(await marksOf([declared])).toEqual(["hookDropped: setup"]);
  });

  it("whose optional hook is dropped goes on with a mark", async () => {
    expect(await marksOf([hook(AXIOS, { optional: true })])).toEqual(["hookDropped: setup"]);
  });

  it("does not need a dropped action, nor a consent that is off", async () => {
    const action = hook("export async function run( {", { events: undefined, rerun: "converge", id: "action" });
    const declined = hook(AXIOS, { userOptional: {}, id: "declined" });
    expect(await marksOf([action, declined], { consents: { declined: false } })).toHaveLength(1);
  });
});
