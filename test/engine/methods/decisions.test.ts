/** A decision names what it decides: a second press never answers a question nobody has seen. */

import { describe, expect } from "vitest";
import { findAskedCheckpoint } from "../../../src/core/task/waiting.ts";
import type { DecisionRequest, Engine, TaskView } from "../../../src/engine/api.ts";
import { toInputName } from "../../../src/engine/vault/secrets.ts";
import { createHttpApp } from "../../../src/http/app.ts";
import { ProblemDetailsShape } from "../../../src/http/schemas/problem-details.ts";
import { Task } from "../../../src/http/schemas/tasks.ts";
import { it, openWorld } from "../../support/engine/engine-test.ts";
import { hookTask, settledTask } from "../../support/engine/engine-world.ts";

/** Fails at one checkpoint after the other, each a question of its own. */
const TWO_QUESTIONS = `export async function run(ctx) {
  ctx.registerCheckpoints([{ id: "one", message: "One" }, { id: "two", message: "Two" }]);
  for (const id of ["one", "two"]) {
    const choice = await ctx.awaitCheckpointRetry(id, id + " failed");
    console.log(id, choice);
    if (choice === "retry") await ctx.emitCheckpoint(id);
  }
}`;

const hookOf = (changes: Record<string, unknown>) => ({
  id: "setup",
  title: "Set up",
  events: ["onAfterInstall"],
  optional: false,
  entrypoint: "run",
  ...changes,
});

async function installed(hook: string | Record<string, unknown>) {
  const changes = typeof hook === "string" ? { scriptContent: hook } : hook;
  const world = await openWorld({ catalog: { demo: { hooks: [hookOf(changes)] } } });
  const { id } = await world.engine.install("demo");
  return { ...world, id, hook: hookTask(await settledTask(world.engine, id), "setup") };
}

/** The question a task asks, as any client names it. */
function questionOf({ revision, waitingFor }: TaskView): DecisionRequest {
  const checkpoint = findAskedCheckpoint(waitingFor);
  return { revision, ...(checkpoint !== undefined && { checkpoint }) };
}

/** What a promise is rejected with; null where it is not. */
function refusalOf(asked: Promise<unknown>): Promise<unknown> {
  return asked.then(
    () => null,
    (error: unknown) => error,
  );
}

/** Asks for a word and fails with each. */
const ASKS = {
  scriptContent: 'export async function run(ctx) { ctx.fail("not this word"); }',
  inputs: [
    {
      id: "word",
      name: "Word",
      type: "question",
      question: { key: "word", question: "Word?", type: "password", required: true },
    },
  ],
};

async function hookOfTask(engine: Engine, id: string): Promise<TaskView> {
  return hookTask(await settledTask(engine, id), "setup");
}

describe("a retry or skip that names its question", () => {
  it("is refused where the press before it has led to another question", async () => {
    const { engine, id, hook, store } = await installed(TWO_QUESTIONS);
    const first = questionOf(hook);
    expect(first).toMatchObject({ checkpoint: "one" });
    await engine.skip(hook.id, first);
    const next = await hookOfTask(engine, id);
    expect(questionOf(next)).toMatchObject({ checkpoint: "two" });

    expect(await refusalOf(engine.skip(hook.id, first))).toMatchObject({
      code: "TASK_DECISION_STALE",
      details: { taskId: hook.id, state: "AWAITING_RETRY", revision: next.revision, checkpoint: "two" },
    });
    expect(engine.task(hook.id)).toEqual(next);
    await engine.retry(hook.id, questionOf(next));
    expect((await hookOfTask(engine, id)).state).toBe("COMPLETED");
    expect(store.hookLog(hook.id, 10).map(({ line }) => line)).toEqual(["one skip", "two retry"]);
  });

  it("is refused while the script is on its way to the next question, too", async () => {
    const { engine, id, hook } = await installed(TWO_QUESTIONS);
    const [pressed, again] = await Promise.allSettled([
      engine.skip(hook.id, questionOf(hook)),
      engine.skip(hook.id, questionOf(hook)),
    ]);
    expect(pressed.status).toBe("fulfilled");
    expect(again).toMatchObject({ status: "rejected", reason: { code: "TASK_DECISION_STALE" } });
    expect(questionOf(await hookOfTask(engine, id))).toMatchObject({ checkpoint: "two" });
  });

  it("is refused where the same checkpoint, or the same script, has failed anew", async () => {
    const { engine, id, hook } = await installed('export async function run(ctx) { ctx.fail("never works"); }');
    await engine.retry(hook.id, questionOf(hook));
    const again = await hookOfTask(engine, id);
    expect(again).toMatchObject({ state: "AWAITING_RETRY", failure: hook.failure });
    expect(await refusalOf(engine.retry(hook.id, questionOf(hook)))).toMatchObject({ code: "TASK_DECISION_STALE" });
    expect((await engine.skip(hook.id, questionOf(again))).state).toBe("SKIPPED");
  });

  it("is still the answer when the script has said more meanwhile", async () => {
    const { engine, hook, id } = await installed(`export async function run(ctx) {
      ctx.registerCheckpoints([{ id: "one", message: "One" }]);
      const choice = ctx.awaitCheckpointRetry("one", "one failed");
      for (let percent = 1; percent < 5; percent++) await ctx.setProgress(percent);
      await choice;
    }`);
    await expect.poll(() => engine.task(hook.id)?.progress).toBe(4);
    await engine.skip(hook.id, questionOf(hook));
    expect((await hookOfTask(engine, id)).state).toBe("COMPLETED");
  });

  it("is about the task it is sent to alone, and names a checkpoint without a revision as well", async () => {
    const { engine, id, hook } = await installed(TWO_QUESTIONS);
    expect(await refusalOf(engine.skip(id, questionOf(hook)))).toMatchObject({ code: "TASK_DECISION_STALE" });
    expect(await refusalOf(engine.skip(hook.id, { checkpoint: "two" }))).toMatchObject({ code: "TASK_DECISION_STALE" });
    await engine.skip(hook.id, { checkpoint: "one" });
    expect(questionOf(await hookOfTask(engine, id))).toMatchObject({ checkpoint: "two" });
    await engine.skip(id);
    expect((await hookOfTask(engine, id)).state).toBe("COMPLETED");
  });

  it("is refused after a crash where it was committed before it", async () => {
    const { engine, hook, id, crash } = await installed('export async function run(ctx) { ctx.fail("never works"); }');
    await engine.retry(hook.id, questionOf(hook));
    const next = await hookOfTask(engine, id);
    const { engine: after } = await crash();
    expect(hookTask(await settledTask(after, id), "setup").revision).toBe(next.revision);
    expect(await refusalOf(after.skip(hook.id, questionOf(hook)))).toMatchObject({ code: "TASK_DECISION_STALE" });
    expect((await after.skip(hook.id, questionOf(next))).state).toBe("SKIPPED");
  });

  it("is answered with 409 over HTTP where it comes twice, and nothing else happens", async () => {
    const { engine, hook, id } = await installed(TWO_QUESTIONS);
    const app = createHttpApp(engine);
    const press = () =>
      app.request(`/api/tasks/${hook.id}/skip`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(questionOf(hook)),
      });
    expect(Task.parse(await (await press()).json()).id).toBe(hook.id);
    const next = await hookOfTask(engine, id);
    const problem = ProblemDetailsShape.parse(await (await press()).json());
    expect(problem).toMatchObject({ status: 409, code: "TASK_DECISION_STALE" });
    expect(engine.task(hook.id)).toEqual(next);
  });
});

describe("inputs that name their question", () => {
  it("are refused where another took its place, and nothing of them is kept", async () => {
    const { engine, hook, id, store } = await installed(ASKS);
    expect(hook.state).toBe("AWAITING_INPUT");
    const [pressed, again] = await Promise.allSettled([
      engine.input(hook.id, { word: "first-word" }, questionOf(hook)),
      engine.input(hook.id, { word: "second-word" }, questionOf(hook)),
    ]);
    expect(pressed.status).toBe("fulfilled");
    expect(again).toMatchObject({ status: "rejected", reason: { code: "TASK_DECISION_STALE" } });
    const next = await hookOfTask(engine, id);
    expect(next.state).toBe("AWAITING_RETRY");
    expect(await refusalOf(engine.input(hook.id, { word: "late-word" }, questionOf(hook)))).toMatchObject({
      code: "TASK_DECISION_STALE",
      details: { taskId: hook.id, state: "AWAITING_RETRY", revision: next.revision },
    });
    expect(engine.task(hook.id)).toEqual(next);
    expect(store.secret(id, toInputName(hook.id, "word"))).toMatchObject({ value: "first-word" });
    // A failed hook takes a corrected word as well, for the question it asks now.
    expect((await engine.input(hook.id, { word: "third-word" }, questionOf(next))).state).toBe("RUNNING");
  });

  it("are about the task they are sent to alone; without a name about the one that waits", async () => {
    const { engine, hook, id } = await installed(ASKS);
    expect(await refusalOf(engine.input(id, { word: "a" }, questionOf(hook)))).toMatchObject({
      code: "TASK_DECISION_STALE",
    });
    await engine.input(id, { word: "a" });
    expect((await hookOfTask(engine, id)).state).toBe("AWAITING_RETRY");
  });

  it("are answered with 409 over HTTP where they come twice", async () => {
    const { engine, hook } = await installed(ASKS);
    const app = createHttpApp(engine);
    const give = (query: string) =>
      app.request(`/api/tasks/${hook.id}/input${query}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ word: "a" }),
      });
    expect((await give("?revision=one")).status).toBe(400);
    expect(Task.parse(await (await give(`?revision=${hook.revision}`)).json()).id).toBe(hook.id);
    const problem = ProblemDetailsShape.parse(await (await give(`?revision=${hook.revision}`)).json());
    expect(problem).toMatchObject({ status: 409, code: "TASK_DECISION_STALE" });
  });
});
