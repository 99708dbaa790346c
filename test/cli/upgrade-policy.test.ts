import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { runCommand } from "../support/command-line.ts";
import { createTestFolder } from "../support/engine/runtime-world.ts";

describe("upgrade-policy", () => {
  const folder = createTestFolder();
  const db = join(folder.path, "slipway.db");
  afterAll(() => folder.remove());

  it.each([
    [["--minutes", "5"], "--minutes goes with --automatic"],
    [["--late", "--manual"], "--late goes with --automatic"],
    [["--stop-on-failure", "--notify", "demo"], "--stop-on-failure goes with --automatic"],
    [["--minutes", "5", "--as-others", "demo"], "--minutes goes with --automatic"],
    [["--as-others", "--manual", "demo"], "--manual and --as-others exclude each other"],
    [["--notify", "--automatic", "0 3 * * *"], "--notify and --automatic exclude each other"],
    [["--as-others"], "--as-others is said of an app"],
  ])("refuses %j before an engine is opened, and says what goes with what", async (args, message) => {
    const { exitCode, stdout } = await runCommand("upgrade-policy", ...args, "--db", db, "--format", "json");
    expect([exitCode, JSON.parse(stdout)]).toMatchObject([
      2,
      { error: { code: "CLI_USAGE", message, hint: expect.any(String) } },
    ]);
    expect(existsSync(db)).toBe(false);
  });
});
