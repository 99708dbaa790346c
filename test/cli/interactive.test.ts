import { spawn, spawnSync } from "node:child_process";
import { stripVTControlCharacters } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { rawApp, rawQuestion, rawSetup } from "../support/scripts/bad-scripts.ts";
import { createSlipwayFolder, MAIN_SCRIPT, type SlipwayFolder, slipway } from "../support/slipway-process.ts";

const CHECKED = `export async function run(ctx) {
  if (ctx.getInput("go") !== "on") ctx.fail("nobody said on");
}`;

/** util-linux: runs a command in a pseudo terminal. */
const hasTerminal = spawnSync("script", ["--version"]).status === 0;
if (!hasTerminal) console.warn("skipped: no `script` of util-linux on this machine to make a pseudo terminal with");

/** A command in a pseudo terminal. */
interface Session {
  /** Waits for a text after what was waited for before, then types. */
  answer(prompt: string, keys: string): Promise<void>;
  /** Waits for the end; gives the exit code and all that was shown, without escape codes. */
  end(): Promise<{ readonly exitCode: number | null; readonly shown: string }>;
}

const DOWN = "\u001b[B";
/** Ms after which a session says what it was shown instead of waiting on. */
const WITHIN_MS = 50_000;
const CTRL_C = "\u0003";

function open(args: readonly string[]): Session {
  const words = [process.execPath, MAIN_SCRIPT, ...args].map((word) => `'${word}'`).join(" ");
  const child = spawn("script", ["-qec", `stty rows 50 cols 200; exec ${words}`, "/dev/null"], {
    stdio: ["pipe", "pipe", "ignore"],
    env: { ...process.env, TERM: "xterm", FORCE_COLOR: "0", COLUMNS: "200" },
  });
  let raw = "";
  let seen = 0;
  let wake = (): void => {};
  let exitCode: number | null | undefined;
  const late = AbortSignal.timeout(WITHIN_MS);
  late.addEventListener("abort", () => wake());
  child.stdout.on("data", (chunk: Buffer) => {
    raw += chunk;
    wake();
  });
  child.once("close", (code) => {
    exitCode = code;
    wake();
  });
  const until = async <T>(look: () => T | undefined): Promise<T> => {
    for (;;) {
      const found = look();
      if (found !== undefined) return found;
      if (late.aborted) throw new Error(`nothing more came:\n${shown()}`);
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  const shown = (): string => stripVTControlCharacters(raw);
  return {
    async answer(prompt, keys) {
      await until(() => {
        const at = shown().indexOf(prompt, seen);
        if (at === -1 && exitCode !== undefined) throw new Error(`ended without asking "${prompt}":\n${shown()}`);
        if (at === -1) return undefined;
        seen = at + prompt.length;
        return at;
      });
      child.stdin.write(keys);
    },
    async end() {
      const code = await until(() => (exitCode === undefined ? undefined : { exitCode }));
      return { ...code, shown: shown() };
    },
  };
}

describe.skipIf(!hasTerminal)("in a terminal", () => {
  const folder: SlipwayFolder = createSlipwayFolder({
    "asks.json": rawApp("asks", {
      installation_questions: [rawQuestion("name", "text"), rawQuestion("pass", "password")],
      app_values: { name: "$QUESTION(name)", pass: "$QUESTION(pass)" },
      hooks: [
        rawSetup({
          inputs: [{ id: "go", type: "question", question: rawQuestion("go", "text") }],
          scriptContent: CHECKED,
        }),
      ],
    }),
  });
  beforeAll(async () => {
    await folder.standin();
  });
  afterAll(() => folder.remove());

  it("leaving a question before the start leaves nothing behind", async () => {
    const before = folder.traces();
    const session = open(["install", "asks", ...folder.engine]);
    await session.answer("What is name", CTRL_C);
    const { exitCode, shown } = await session.end();
    expect(exitCode).toBe(2);
    expect(shown).toContain('error CLI_INTERRUPTED: interrupted before "asks" was begun');
    expect(folder.traces()).toEqual(before);
  });

  it("questions, a hook's input, Retry and Skip take an install to its end, and no password is shown", {
    timeout: 120_000,
  }, async () => {
    const session = open(["install", "asks", ...folder.engine]);
    await session.answer("What is name", "Ada\r");
    await session.answer("What is pass", "s3cret-typed\r");
    await session.answer("What is go", "off\r");
    await session.answer("? Set up: nobody said on", "\r");
    await session.answer("Set up: RUNNING", "");
    await session.answer("? Set up: nobody said on", CTRL_C);
    const left = await session.end();
    expect(left.exitCode).toBe(3);
    expect(left.shown).not.toContain("s3cret-typed");

    const { tasks } = JSON.parse((await slipway("tasks", "--db", folder.db, "--format", "json")).stdout);
    const again = open(["retry", tasks[0].id, ...folder.engine]);
    await again.answer("? Set up: nobody said on", `${DOWN}\r`);
    const ended = await again.end();
    expect(ended.shown).toContain("Install Asks: COMPLETED");
    expect(ended.shown).toContain("Set up: SKIPPED");
    expect(ended.exitCode).toBe(0);
  });
});
