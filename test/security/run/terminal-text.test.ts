/** Nothing a script or a catalog says steers the terminal it is shown in. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { createPinoLogger } from "../../../src/adapters/logger-pino.ts";
import { askUpgrade } from "../../../src/cli/ui/dialog/options-dialog.ts";
import { createPlainTerminal } from "../../../src/cli/ui/terminal.ts";
import { escapeControlCharacters, showControlCharacters } from "../../../src/core/report/plain-text.ts";
import { openCommandTerminal, runCommand } from "../../support/command-line.ts";

const folder = mkdtempSync(join(tmpdir(), "slipway-terminal-"));
afterAll(() => rmSync(folder, { recursive: true }));

const HOSTILE = "\u001b[2J\u001b]0;title\u0007\u009b31m\r\u202eevil\u2066\u007f";
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
const STEERING = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;

async function slipway(...args: readonly string[]): Promise<string> {
  const { stdout, stderr } = await runCommand(...args);
  return stdout + stderr;
}

test.each([["text"], ["json"]])("what a script logs, names and throws, as %s", async (format) => {
  const file = join(folder, "hook.ts");
  writeFileSync(
    file,
    `const bad = ${JSON.stringify(HOSTILE)};
     export async function run(ctx) {
       ctx.log(bad); await ctx.emitCheckpoint("a" + bad, bad); ctx.fail(bad, [{ label: bad, value: bad }]);
     }`,
  );
  const shown = await slipway("run-hook", file, "--entrypoint", "run", "--format", format);
  expect(shown).toContain("evil");
  expect(shown).not.toMatch(STEERING);
  if (format === "json") expect(JSON.parse(shown).log).toEqual([HOSTILE]);
});

test.each([["text"], ["json"]])("what is wrong with an install script, as %s", async (format) => {
  const file = join(folder, "script.json");
  writeFileSync(file, JSON.stringify({ [HOSTILE]: 1, id: HOSTILE, name: [HOSTILE] }).replaceAll("\\u001b", "\u001b"));
  const shown = await slipway("validate", file, "--format", format);
  expect(shown).not.toBe("");
  expect(shown).not.toMatch(STEERING);
});

test("what a host and an author write about an upgrade", async () => {
  const { terminal, ended } = openCommandTerminal(AbortSignal.abort());
  const engine = {
    previewUpgrade: async () => ({
      appId: "demo",
      to: HOSTILE,
      versions: [HOSTILE],
      changelog: [{ version: HOSTILE, notes: `One\r\n${HOSTILE}` }],
      hooks: [{ id: "move", title: HOSTILE, event: "onBeforeUpgrade" as const, optional: false }],
    }),
    form: async () => ({
      ...{ appId: "demo", mode: "upgrade" as const, steps: [], consents: [], links: [], collapsed: [] },
      ...{ request: { withValues: true }, problems: [] },
      advice: [{ code: "VALUE_UNKNOWN" as const, message: HOSTILE, hint: "look" }],
    }),
  };
  await expect(askUpgrade(engine, "demo", {}, createPlainTerminal(terminal))).rejects.toThrow("aborted");
  const { stdout } = await ended();
  expect(stdout).toContain(": One\n    ");
  expect(stdout.match(/evil/g)).toHaveLength(5);
  expect(stdout).toContain("The values of its script are sent along");
  expect(stdout).not.toMatch(STEERING);
});

test("no text keeps such a character, and JSON keeps its value", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(showControlCharacters(text)).not.toMatch(STEERING);
      expect(JSON.parse(escapeControlCharacters(JSON.stringify(text)))).toBe(text);
      expect(escapeControlCharacters(JSON.stringify(text))).not.toMatch(STEERING);
    }),
  );
});

test("a line of the engine's log, which a parser reads as it was", () => {
  const lines: string[] = [];
  createPinoLogger({ stream: { write: (line) => lines.push(line) } }).warn({ app: HOSTILE }, HOSTILE);
  expect(lines.join("")).not.toMatch(STEERING);
  expect(JSON.parse(lines.join(""))).toMatchObject({ app: HOSTILE, msg: HOSTILE });
});
