/** `export` at the command line: the file it leaves, and what it refuses before it asks for anything. */
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { rawApp } from "../support/scripts/bad-scripts.ts";
import { createSlipwayFolder, errorOf, type SlipwayFolder, slipway, taskOf } from "../support/slipway-process.ts";

describe("an export", () => {
  const folder: SlipwayFolder = createSlipwayFolder({ "good.json": rawApp("good") });
  afterAll(() => folder.remove());
  const file = join(folder.path, "house.json");
  const passphrase = join(folder.path, "passphrase");
  const json = ["--format", "json", ...folder.engine] as const;

  it("is written for its owner alone, once, and over another one only where told so", async () => {
    writeFileSync(passphrase, "eight or more\n");
    expect(taskOf(await slipway("install", "good", ...json))).toMatchObject({ state: "COMPLETED" });
    const silent = await slipway("export", "--out", file, ...json);
    expect([silent.exitCode, errorOf(silent).code]).toEqual([2, "CLI_USAGE"]);
    const made = await slipway("export", "--out", file, "--passphrase-file", passphrase, ...json);
    expect(JSON.parse(made.stdout)).toEqual({ file, apps: ["good"], links: 0, sealed: true, leftOut: [] });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ slipway: "export", apps: [{ appId: "good" }] });

    const again = await slipway("export", "--out", file, "--without-secrets", ...json);
    expect([again.exitCode, errorOf(again).code]).toEqual([2, "CLI_FILE_UNWRITABLE"]);
    const forced = await slipway("export", "--out", file, "--without-secrets", "--force", ...folder.engine);
    expect(forced.stdout).toContain(`${file}: 1 apps, 0 links, without secrets\n`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder.path).filter((name) => name.includes("partial"))).toEqual([]);
  });
});
