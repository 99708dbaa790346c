import { describe, expect, it } from "vitest";
import { slipway } from "../support/slipway-process.ts";

describe("completion", () => {
  it.each(["bash", "zsh", "fish"])("prints a script for %s that asks slipway", async (shell) => {
    const { exitCode, stdout } = await slipway("completion", shell);
    expect(exitCode).toBe(0);
    expect(stdout).toContain("slipway");
    expect(stdout).toContain("complete");
  });

  it("refuses another shell", async () => {
    const { exitCode, stderr } = await slipway("completion", "csh");
    expect(exitCode).toBe(2);
    expect(stderr).toContain("bash");
  });

  it("offers the commands that begin as typed, with what they do", async () => {
    const { stdout } = await slipway("complete", "--", "val");
    expect(stdout).toMatch(/^validate\tChecks install scripts/m);
    expect(stdout).not.toMatch(/^install\t/m);
  });

  it("offers the options of the command typed", async () => {
    const { stdout } = await slipway("complete", "--", "validate", "--");
    expect(stdout).toMatch(/^--strict\t/m);
    expect(stdout).not.toMatch(/^--catalog\t/m);
  });
});
