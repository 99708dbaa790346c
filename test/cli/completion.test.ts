import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { mainScript, slipway } from "../support/slipway-process.ts";

describe("completion", () => {
  it.each(["bash", "zsh", "fish"])("prints a script for %s that asks slipway", async (shell) => {
    const { exitCode, stdout } = await slipway("completion", shell);
    expect(exitCode).toBe(0);
    expect(stdout).toContain("slipway");
    expect(stdout).toContain("complete");
  });

  it.each([
    [["slipway", "val"], "validate"],
    [["slipway", "validate", "--st"], "--strict"],
  ])("completes %j in bash", async (words, completed) => {
    const { stdout } = await slipway("completion", "bash");
    const script = [
      // What the package bash-completion gives: the word under the cursor and all words.
      `_get_comp_words_by_ref() { words=("\${COMP_WORDS[@]}"); cword=$COMP_CWORD; cur=\${COMP_WORDS[COMP_CWORD]}; }`,
      "compopt() { :; }",
      `slipway() { "${process.execPath}" "${mainScript()}" "$@"; }`,
      stdout,
      `COMP_WORDS=(${words.join(" ")}); COMP_CWORD=${words.length - 1}`,
      "__slipway_complete",
      'echo "$COMPREPLY"',
    ].join("\n");
    expect(execFileSync("bash", ["-c", script], { encoding: "utf8" })).toBe(`${completed}\n`);
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
