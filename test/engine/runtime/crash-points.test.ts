/** A real process killed with SIGKILL at every named crash point, and taken up by the next until it ends. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { CrashPoint } from "../../../src/engine/runtime/crash-points.ts";
import { createTestFolder } from "../../support/engine/runtime-world.ts";

const PROGRAM = fileURLToPath(new URL("../../support/machines/run-single-effect.ts", import.meta.url));

let folder: ReturnType<typeof createTestFolder>;

beforeEach(() => {
  folder = createTestFolder();
});

afterEach(() => {
  folder.remove();
});

interface Ended {
  readonly killed: boolean;
  readonly out: string;
}

function runProgram(crashAt: string): Ended {
  const { signal, status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, folder.path], {
    env: { ...process.env, SLIPWAY_CRASH_AT: crashAt },
    encoding: "utf8",
  });
  if (signal === null && status !== 0) throw new Error(stderr);
  return { killed: signal === "SIGKILL", out: stdout };
}

function listSent(): readonly string[] {
  return readFileSync(join(folder.path, "outside.txt"), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => line.split(" ")[0] ?? "");
}

/** What a task nobody kills comes to: three turns' worth of log, each effect sent once. */
const END = { state: "COMPLETED", marks: ["fresh"], turns: 2, log: 3 };

/** Points a task without a hook passes by itself. */
const PASSED: readonly CrashPoint[] = ["beforeCommit", "afterCommit", "afterEffectSent", "afterEffectDone"];

describe("a killed engine", () => {
  test("ends uncrashed as it should", () => {
    expect(runProgram("")).toEqual({ killed: false, out: JSON.stringify(END) });
    expect(listSent()).toEqual(["run", "report"]);
  });

  test.each(PASSED.flatMap((name) => [`${name}:1`, `${name}:2`]))(
    "ends as the uncrashed one when killed at %s, and once more while it recovers",
    (crashAt) => {
      expect(runProgram(crashAt).killed).toBe(true);
      runProgram("beforeReconcile:1");
      expect(runProgram("")).toMatchObject({ killed: false, out: JSON.stringify(END) });
      expect(listSent()).toEqual(["run", "report"]);
    },
  );
});
