/** Level 7 from the scripts of an earlier commit: `slipway check --from REF`. */
import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { rawApp } from "../support/check/apps.ts";
import { runCommand } from "../support/command-line.ts";
import { useTestFolder } from "../support/test-folder.ts";

const folder = useTestFolder();

const git = (...args: readonly string[]) =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@localhost", ...args], { cwd: folder.path });

function commit(app: string, version: string, values: object): void {
  folder.write(`${app}.json`, rawApp({ script: { version }, app_values: values }));
  git("add", ".");
  git("commit", "--quiet", "-m", version);
}

async function check(...args: readonly string[]) {
  const { exitCode, stdout, stderr } = await runCommand("check", "--catalog", folder.path, ...args);
  return { exitCode, stderr, stdout };
}

it("plays from the scripts of a commit, and names them", async () => {
  git("init", "--quiet", "--initial-branch=main");
  commit("notes", "1.0.0", { secret: "$RANDOM_STRING(32)" });
  commit("media", "2.0.0", { a: 1 });
  git("tag", "base");
  commit("notes", "1.1.0", { password: "$RANDOM_STRING(32)" });
  commit("media", "1.9.0", { a: 2 });
  commit("fresh", "1.0.0", {});
  const { exitCode, stdout } = await check("--level", "7", "--from", "base", "--format", "json");
  expect(exitCode).toBe(1);
  const { apps } = JSON.parse(stdout);
  const told = apps.map(({ appId, level, levels, coverage }: Record<string, never[]>) => [
    appId,
    level,
    levels,
    coverage,
  ]);
  expect(told).toMatchObject([
    ["fresh", 7, {}, {}],
    ["media", 6, {}, {}],
    ["notes", 6, {}, {}],
  ]);
  expect(stdout).toMatch(/the update from 2\.0\.0 \(media\.json at base\) is refused: TASK_UPDATE_INCOMPATIBLE/);
  expect(stdout).toMatch(/version 1\.0\.0 \(notes\.json at base\) generated for ."secret." is used no more/);
});

it.each([
  [["--level", "7", "--from", "none"], "error CATALOG_REF_UNKNOWN"],
  [["--level", "7", "--from=--upload-pack=x"], "error CATALOG_REF_UNKNOWN"],
  [["--level", "6", "--from", "HEAD"], "--from needs --level 7"],
  [["--level", "7", "--from", "HEAD", "--watch"], "--watch takes no --from"],
])("refuses %j", async (args, message) => {
  git("init", "--quiet", "--initial-branch=main");
  commit("notes", "1.0.0", {});
  const { exitCode, stderr } = await check(...args);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining(message)]);
});

it("refuses a catalog that is no checkout, with what helps", async () => {
  folder.write("notes.json", rawApp({}));
  const { stderr } = await check("--level", "7", "--from", "HEAD");
  expect(stderr).toContain("error CATALOG_NO_CHECKOUT");
  expect(stderr).toContain("hint: ");
});
