/** `slipway new`: what it writes is a whole app, and nothing else is touched. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { HIGHEST } from "../../src/check/levels/levels.ts";
import { LOCATIONS } from "../../src/core/script/script-words.ts";
import { runCommand } from "../support/command-line.ts";
import { CTRL_C, hasTerminal, openTerminal } from "../support/terminal-session.ts";
import { useTestFolder } from "../support/test-folder.ts";

const folder = useTestFolder();

const create = (...args: readonly string[]) => runCommand("new", ...args, "--catalog", folder.path);

/** Every file below the catalog but what the editor needs. */
function listFiles(): readonly string[] {
  const found = readdirSync(folder.path, { recursive: true, withFileTypes: true });
  const files = found.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return files
    .map((file) => file.slice(folder.path.length + 1))
    .filter((file) => !file.startsWith("."))
    .sort();
}

const HOSTILE = `It's "so" \${x} \`y\` */ // <b> $QUESTION(a)`;

it("every combination passes the highest level there is without a warning, and its TypeScript has no type error", {
  timeout: 600_000,
}, async () => {
  const apps: Readonly<Record<string, readonly string[]>> = {
    plain: ["--location", "none"],
    mounts: ["--location", "Media", "--location", "Photos"],
    hooked: ["--hook"],
    shown: ["--widget", "--location", "none"],
    both: ["--hook", "--widget", "--name", HOSTILE, "--location", LOCATIONS.join(",")],
  };
  for (const [index, [appId, args]] of Object.entries(apps).entries()) {
    expect(await create(appId, "--port", `${30_100 + index}`, ...args)).toMatchObject({ exitCode: 0, stderr: "" });
  }
  // what an author writes next knows its types too
  const scenarios = `import type { Scenarios } from "./.slipway/check-api.d.ts";
export default { scenarios: [{ name: "plain", expect: { hooks: { "set-up": "COMPLETED" } } }] } satisfies Scenarios;`;
  folder.write("hooked.check.ts", scenarios);
  const checked = await runCommand(
    "check",
    "--catalog",
    folder.path,
    "--level",
    `${HIGHEST}`,
    "--limit",
    "600",
    "--strict",
    "--format",
    "json",
  );
  const { apps: reports } = JSON.parse(checked.stdout);
  const findings = reports.flatMap((app: { levels: { findings: unknown[] }[] }) =>
    app.levels.flatMap((level) => level.findings),
  );
  expect(findings).toEqual([]);
  expect(checked.exitCode).toBe(0);
  const tsc = join(import.meta.dirname, "../../node_modules/typescript/bin/tsc");
  for (const appId of ["hooked", "shown", "both"]) {
    const { stdout } = spawnSync(process.execPath, [tsc, "-p", join(folder.path, appId), "--pretty", "false"], {
      encoding: "utf8",
    });
    expect(stdout).toBe("");
  }
});

it("writes the parts asked for, names them, and says how to go on", async () => {
  const { stdout } = await create("my-app", "--port", "30100", "--hook");
  const files = ["my-app.json", "my-app/set-up.ts", "my-app/tsconfig.json", "standin/my-app.json"];
  expect(listFiles()).toEqual(files);
  for (const file of files) expect(stdout).toContain(`wrote ${file}\n`);
  expect(stdout).toContain(`try it: slipway check my-app --catalog ${folder.path}`);
  const script = JSON.parse(readFileSync(join(folder.path, "my-app.json"), "utf8"));
  expect(existsSync(join(folder.path, script.$schema))).toBe(true);
  expect(script).toMatchObject({ requirements: { ports: [30_100], locations: ["ApplicationsPerformance"] } });
  const other = await create("other", "--port", "30101", "--format", "json");
  expect(JSON.parse(other.stdout)).toEqual({
    appId: "other",
    catalog: folder.path,
    files: ["other.json", "standin/other.json"],
  });
});

it("takes options and the id in any order", async () => {
  await create("--port", "80", "--location", "Media", "my-app");
  const script = JSON.parse(readFileSync(join(folder.path, "my-app.json"), "utf8"));
  expect(script.requirements.locations).toEqual(["Media"]);
});

describe("refuses, and writes nothing", () => {
  it.each([
    [["My_App", "--port", "1"], "is not an app id: allowed are lowercase letters"],
    [["../evil", "--port", "1"], "is not an app id"],
    [["catalog", "--port", "1"], "means something else in a catalog"],
    [["tsconfig", "--port", "1"], "means something else in a catalog"],
    [["standin", "--port", "1"], "means something else in a catalog"],
    [["my-app"], "--port is missing"],
    [["my-app", "--port", "65536"], "a whole number from 1 to 65535"],
    [["my-app", "--port", "80.5"], "a whole number from 1 to 65535"],
    [["my-app", "--port", "80", "--name", " "], "a name is one line"],
    [["my-app", "--port", "80", "--name", "a\u001b[2J"], "a name is one line"],
    [["my-app", "--port", "80", "--location", "Attic"], '"Attic" is not a location; there are ApplicationsPerformance'],
    [["my-app", "--port", "80", "--location", "none,Media"], '"none" stands for no location'],
    [["my-app", "--port", "80", "--location", "none", "--location", "Media"], '"none" stands for no location'],
    [["my-app", "--port", "80", "--location", "none", "Media"], '"Media" stands alone: --location'],
  ])("%j", async (args, message) => {
    const { exitCode, stderr } = await create(...args);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining("error CLI_USAGE")]);
    expect(stderr).toContain(message);
    expect(stderr).toContain("hint: ");
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it.each(["my-app", "standin", ".slipway"])("where its folder %s is a link out", async (name) => {
    const outside = `${folder.path}-outside`;
    mkdirSync(outside);
    symlinkSync(outside, join(folder.path, name));
    const { exitCode, stderr } = await create("my-app", "--port", "80", "--hook");
    expect([exitCode, stderr]).toEqual([2, expect.stringMatching(/^error CLI_FILE_UNWRITABLE: .*is a link/)]);
    expect(readdirSync(outside)).toEqual([]);
    expect(listFiles()).toEqual([]);
  });

  it.each(["my-app.json", "my-app/set-up.ts", "my-app/tsconfig.json", "standin/my-app.json"])(
    "where %s is there",
    async (name) => {
      folder.write(name, "mine");
      const { exitCode, stderr } = await create("my-app", "--port", "80", "--hook");
      expect([exitCode, stderr]).toEqual([2, expect.stringMatching(/^error CLI_FILE_UNWRITABLE: .*it exists/)]);
      expect(listFiles()).toEqual([name]);
      expect(readFileSync(join(folder.path, name), "utf8")).toBe("mine");
    },
  );

  it("where a link stands that leads nowhere, or a file where a folder has to be", async () => {
    symlinkSync(join(folder.path, "nothing"), join(folder.path, "linked.json"));
    folder.write("standin", "mine");
    expect(await create("linked", "--port", "80")).toMatchObject({ exitCode: 2 });
    const { exitCode, stderr } = await create("my-app", "--port", "80");
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining("CLI_FILE_UNWRITABLE")]);
    expect(listFiles()).toEqual(["standin"]);
  });
});

it("leaves the editor's files as they are", async () => {
  mkdirSync(join(folder.path, ".slipway"));
  const types = folder.write(".slipway/hook-api.d.ts", "mine");
  const { stdout } = await create("my-app", "--port", "80");
  expect(readFileSync(types, "utf8")).toBe("mine");
  expect(stdout).not.toContain("hook-api");
});

describe.skipIf(!hasTerminal)("at a terminal", () => {
  it("asks for what no option says", async () => {
    const session = openTerminal(["new", "my-app", "--catalog", folder.path, "--no-widget"]);
    await session.answer("? Name", "\r");
    await session.answer("? Port of its page", "30100\r");
    await session.answer("? Locations it uses", "\r");
    await session.answer("? A hook that sets it up?", "y\r");
    const { exitCode, shown } = await session.end();
    expect([exitCode, shown]).toEqual([0, expect.stringContaining("try it: slipway check my-app")]);
    expect(listFiles()).toEqual(["my-app.json", "my-app/set-up.ts", "my-app/tsconfig.json", "standin/my-app.json"]);
  });

  it("Ctrl-C writes nothing", async () => {
    const session = openTerminal(["new", "my-app", "--catalog", folder.path]);
    await session.answer("? Name", CTRL_C);
    const { exitCode, shown } = await session.end();
    expect([exitCode, shown]).toEqual([
      2,
      expect.stringContaining("error CLI_INTERRUPTED: interrupted before anything"),
    ]);
    expect(listFiles()).toEqual([]);
  });
});
