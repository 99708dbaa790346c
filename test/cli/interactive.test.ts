import { rmSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { rawApp, rawQuestion, rawSetup } from "../support/scripts/bad-scripts.ts";
import { createSlipwayFolder, errorOf, type SlipwayFolder, slipway } from "../support/slipway-process.ts";
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
    "mixed.json": rawApp("mixed", {
      installation_questions: [
        rawQuestion("name", "text"),
        rawQuestion("mail", "text", { required: true }),
        rawQuestion("zone", "text", { required: false }),
      ],
      app_values: { name: "$QUESTION(name)", url: "$QUESTION(mail)-$QUESTION(zone)" },
    }),
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
    await again.answer("? Set up: nobody said on", `${DOWN}${DOWN}\r`);
    await again.answer("What is go", "off\r");
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

  it("an adoption asks for nothing but what it needs, and shows what is known before it is agreed to", async () => {
    const answers = folder.write("answers.json", { name: `Eve\n${TURNED}`, mail: "a@b", zone: "eu" });
    await slipway("install", "mixed", ...folder.engine, "--yes", "--answers", answers);
    // Another engine, to which the app came by other means.
    for (const end of ["", "-wal", "-shm", ".witness"]) rmSync(`${folder.db}${end}`, { force: true });
    const listed = await slipway("adopt", "mixed", ...folder.engine, "--list");
    expect([listed.exitCode, listed.stdout.split("\n")]).toEqual([
      0,
      [
        "Adopting Mixed 1.3.0 as it is, with script 1.0.0: nothing is changed on the host",
        '  found: name = "Eve\\n<U+202E>"',
        '  unknown: mail ("What is mail"): several answers make what is in the app\'s configuration',
        '  unknown: zone ("What is zone"): several answers make what is in the app\'s configuration',
        expect.stringMatching(/^ {2}error ANSWER_REQUIRED: .*"mail"/),
        "",
      ],
    ]);
    const left = openTerminal(["adopt", "mixed", ...folder.engine]);
    await left.answer("What is mail", "a@b\r");
    await left.answer("Adopt mixed?", `${DOWN}\r`);
    expect((await left.end()).shown).toContain('error CLI_INTERRUPTED: "mixed" was not adopted: nothing has happened');
    const session = openTerminal(["adopt", "mixed", ...folder.engine]);
    await session.answer("What is mail", "a@b\r");
    await session.answer("Adopt mixed?", "\r");
    const ended = await session.end();
    expect(ended.shown).toContain('given: mail = "a@b"');
    expect(ended.shown).toContain("Adopt Mixed: COMPLETED");
    expect(ended.exitCode).toBe(0);
    const again = await slipway("adopt", "mixed", ...folder.engine, "--format", "json");
    expect([again.exitCode, errorOf(again).code]).toEqual([1, "TASK_ADOPT_KNOWN"]);
  });
});
