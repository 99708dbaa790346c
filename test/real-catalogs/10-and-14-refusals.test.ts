/** Rows 10 and 14: a refusal says why, and what was to be sent. */
import { describe, expect } from "vitest";
import { z } from "zod";
import { isEngineError } from "../../src/core/codes/problems.ts";
import { createHttpApp } from "../../src/http/app.ts";
import { it, openWorld } from "../support/engine/engine-test.ts";
import { hookTask, settledTask } from "../support/engine/engine-world.ts";
import { on, rawHook } from "../support/scripts/scripts.ts";

async function open(hooks: readonly Record<string, unknown>[]) {
  const world = await openWorld({ catalog: { demo: { hooks }, other: {} } });
  const { id } = await world.engine.install("demo");
  await settledTask(world.engine, id);
  return { ...world, id };
}

describe("a refused action", () => {
  async function refusal(hook: Record<string, unknown>, files?: readonly string[]) {
    const { engine, host } = await open([hook]);
    if (files !== undefined) host.script.world.paths.set("/mnt/tank/apps/a.txt", FILE);
    const pressed = engine.runAction("demo", "connect", files === undefined ? {} : { files: [...files] });
    const error: unknown = await pressed.catch((thrown: unknown) => thrown);
    if (!isEngineError(error)) throw new Error(`not refused: ${JSON.stringify(error)}`);
    expect(error.code).toBe("ACTION_UNAVAILABLE");
    return error.message;
  }

  const FILE = { type: "FILE", uid: 0, gid: 0 } as const;
  const target = { type: "files", accepts: [".mkv", ".mp4"] };

  it("names the condition that hides it", async () => {
    expect(await refusal(rawHook({ surfaces: ["card"], conditions: [on("other")] }))).toBe(
      '"Connect" can\'t run: "other" is not installed',
    );
  });

  it("names the condition that disables it", async () => {
    const conditions = [on("other", "appRunning", "availability")];
    expect(await refusal(rawHook({ surfaces: ["card"], conditions }))).toBe(
      '"Connect" can\'t run: "other" is not installed',
    );
  });

  it("names what it takes where no file is selected", async () => {
    expect(await refusal(rawHook({ target }))).toBe('"Connect" can\'t run: no file is selected; it takes .mkv, .mp4');
  });
});

const Problem = z.looseObject({ detail: z.string().optional(), hint: z.string().optional() });

describe("inputs over HTTP", () => {
  const input = { type: "question", id: "name", question: { question: "Name?", type: "text", key: "name" } };
  const asking = rawHook({ id: "ask", rerun: undefined, events: ["onAfterInstall"], inputs: [input] });

  async function answer(body: unknown, init: RequestInit = { headers: { "content-type": "application/json" } }) {
    const { engine, id } = await open([asking]);
    const task = hookTask(await settledTask(engine, id), "ask").id;
    const response = await createHttpApp(engine).request(`/api/tasks/${task}/input`, {
      ...init,
      method: "POST",
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return Problem.parse(await response.json());
  }

  it.each([
    ["a map in another one", { values: { name: "anna" } }],
    ["a list", [{ name: "anna" }]],
    ["a text", "anna"],
  ])("refuse %s with the form of the body", async (_, body) => {
    const problem = await answer(body);
    expect(`${problem.detail} ${problem.hint}`).toContain("values by input id");
    expect(`${problem.detail} ${problem.hint}`).toContain('{"<input id>": <value>}');
  });

  it("refuse no body in the same words", async () => {
    const problem = await answer(undefined, {});
    expect(problem.detail).toContain('values by input id: {"<input id>": <value>}');
  });

  it("take the values by input id", async () => {
    expect(await answer({ name: "anna" })).not.toHaveProperty("code");
  });
});
