import { expect, it } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { COMMANDS } from "../../src/cli/command-table.ts";
import { slipway } from "../support/slipway-process.ts";

it.each(["--version", "-V"])("%s prints the package's version alone", async (option) => {
  expect(await slipway(option)).toEqual({ exitCode: 0, stdout: `${packageJson.version}\n`, stderr: "" });
});

it("--help lists every command with what it does", async () => {
  const { exitCode, stdout } = await slipway("--help");
  expect(exitCode).toBe(0);
  const oneLine = stdout.replaceAll(/\s+/g, " ");
  for (const { name, summary } of COMMANDS) {
    expect(stdout).toMatch(new RegExp(`^  ${name}\\b`, "m"));
    expect(oneLine).toContain(summary);
  }
});
