import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { rawApp, rawQuestion, rawSetup } from "../support/scripts/bad-scripts.ts";
import { createSlipwayFolder, type SlipwayFolder, slipway } from "../support/slipway-process.ts";
import { CTRL_C, DOWN, hasTerminal, openTerminal } from "../support/terminal-session.ts";

const CHECKED = `export async function run(ctx) {
  if (ctx.getInput("go") !== "on") ctx.fail("nobody said on");
}`;

/** Turns the direction of what follows it in a terminal. */
const TURNED = "\u202e";

describe.skipIf(!hasTerminal)("in a terminal", () => {
  const folder: SlipwayFolder = createSlipwayFolder({
    "asks.json": rawApp("asks", {
      installation_questions: [
        rawQuestion("name", "text", { default: `Eve${TURNED}` }),
        rawQuestion("pass", "password"),
      ],
      app_values: { name: "$QUESTION(name)", pass: "$QUESTION(pass)" },
      hooks: [
        rawSetup({
          inputs: [{ id: "go", type: "question", question: rawQuestion("go", "text") }],
          scriptContent: CHECKED,
        }),
      ],
    }),
    "quiet.json": rawApp("quiet", {}),
  });
  beforeAll(async () => {
    await folder.standin();
  });
  afterAll(() => folder.remove());

  it("leaving a question before the start leaves nothing behind", async () => {
    const before = folder.traces();
    const session = openTerminal(["install", "asks", ...folder.engine]);
    await session.answer("What is name (Eve<U+202E>)", CTRL_C);
    const { exitCode, shown } = await session.end();
    expect(exitCode).toBe(2);
    expect(shown).not.toContain(TURNED);
    expect(shown).toContain('error CLI_INTERRUPTED: interrupted before "asks" was begun');
    expect(folder.traces()).toEqual(before);
  });

  it("questions, a hook's input, Retry and Skip take an install to its end, and no password is shown", {
    timeout: 120_000,
  }, async () => {
    const session = openTerminal(["install", "asks", ...folder.engine]);
    await session.answer("What is name", "Ada\r");
    await session.answer("What is pass", "s3cret-typed\r");
    await session.answer("after the install: Set up", "");
    await session.answer("Install asks?", "\r");
    await session.answer("What is go", "off\r");
    await session.answer("? Set up: nobody said on", "\r");
    await session.answer("Set up: RUNNING", "");
    await session.answer("? Set up: nobody said on", CTRL_C);
    const left = await session.end();
    expect(left.exitCode).toBe(3);
    expect(left.shown).not.toContain("s3cret-typed");

    const { tasks } = JSON.parse((await slipway("tasks", "--db", folder.db, "--format", "json")).stdout);
    const again = openTerminal(["retry", tasks[0].id, ...folder.engine]);
    await again.answer("? Set up: nobody said on", `${DOWN}\r`);
    const ended = await again.end();
    expect(ended.shown).toContain("Install Asks: COMPLETED");
    expect(ended.shown).toContain("Set up: SKIPPED");
    expect(ended.exitCode).toBe(0);
  });

  it("an uninstall says what becomes of its data and asks before anything happens", async () => {
    await slipway("install", "quiet", ...folder.engine, "--yes");
    const refused = openTerminal(["uninstall", "quiet", ...folder.engine]);
    await refused.answer("Uninstall quiet?", `${DOWN}\r`);
    const left = await refused.end();
    expect(left.shown).toContain('error CLI_INTERRUPTED: "quiet" was not uninstalled: nothing has happened');
    expect(left.exitCode).toBe(2);
    const agreed = openTerminal(["uninstall", "quiet", ...folder.engine]);
    await agreed.answer("Uninstall quiet?", "\r");
    const ended = await agreed.end();
    expect(ended.shown).toContain("answers and generated secrets are kept");
    expect(ended.shown).toContain(": COMPLETED");
    expect(ended.exitCode).toBe(0);
  });
});
