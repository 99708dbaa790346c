/** Rows 12, 13 and 18: names in `validate --format json`, links out of a catalog, pairings of internal apps. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Problem } from "../../src/core/codes/problems.ts";
import { runCommand } from "../support/command-line.ts";
import { on, rawHook, rawScript } from "../support/scripts/scripts.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "slipway-row12-"));
  for (const name of ["catalog", "catalog/demo", "outside"]) mkdirSync(join(folder, name));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const write = (name: string, text: string) => writeFileSync(join(folder, "catalog", name), text);
const scripted = (script: string) =>
  JSON.stringify(rawScript({ hooks: [rawHook({ scriptContent: undefined, script })] }));

interface Validated {
  readonly files: readonly {
    readonly file: string;
    readonly problems: readonly Problem[];
  }[];
}

async function validate(...paths: readonly string[]): Promise<Validated> {
  return JSON.parse((await runCommand("validate", ...paths, "--format", "json")).stdout);
}

describe("names in the JSON of validate", () => {
  it("have one form, below the path given, as text and SARIF have it", async () => {
    write("demo.json", scripted("demo/hook.ts"));
    write("demo/hook.ts", "export async function run( {");
    const catalog = join(folder, "catalog");
    for (const path of [catalog, join(catalog, "demo.json")]) {
      const [found] = (await validate(path)).files;
      expect(found?.file).toBe(join(catalog, "demo.json"));
      expect(found?.problems.map(({ file }) => file)).toEqual([join(catalog, "demo/hook.ts")]);
    }
    const { stdout } = await runCommand("validate", catalog);
    expect(stdout).toContain(`${join(catalog, "demo/hook.ts")}:1:`);
  });
});

describe("a script behind a link", () => {
  it("that leads out of the catalog is said to be that, with what to do", async () => {
    writeFileSync(join(folder, "outside/hook.ts"), "export async function run() {}");
    symlinkSync(join(folder, "outside"), join(folder, "catalog/linked"));
    write("linked-app.json", scripted("linked/hook.ts"));
    const [found] = (await validate(join(folder, "catalog/linked-app.json"))).files;
    expect(found?.problems).toMatchObject([
      {
        code: "SCRIPT_FILE_MISSING",
        message:
          'hook "connect" can\'t have its script: "linked/hook.ts" is a link, or lies behind one, that leads outside the catalog',
        hint: "put the file itself into the catalog: a link that leads out is not followed",
      },
    ]);
  });
});

describe("pairings of an internal app", () => {
  const pairings = async (...options: readonly string[]) => {
    const catalog = join(folder, "internal");
    mkdirSync(catalog, { recursive: true });
    const hook = rawHook({ conditions: [on("plex")] });
    writeFileSync(join(catalog, "tool.json"), JSON.stringify(rawScript({ internal: true, hooks: [hook] })));
    writeFileSync(join(catalog, "plex.json"), JSON.stringify(rawScript()));
    const { stdout } = await runCommand("pairings", "tool", "--catalog", catalog, "--explain", ...options);
    return stdout;
  };

  it("are shown with --dev, as an engine outside production has them", async () => {
    expect(await pairings("--dev")).toBe("Connect: tool/connect links plex\n  connect: links plex\n");
  });

  it("are none without, and the reason names the option", async () => {
    expect(await pairings()).toBe(
      '"tool" has no pairings\n  *: the app is internal, see --dev\n  connect: links plex\n',
    );
  });
});
