/** What a task shows for a page: the commands it takes, its steps with times, its checkpoints' failures, its name. */
import { describe, expect } from "vitest";
import { COMMANDS, type Command } from "../../../src/core/task/commands.ts";
import type { Engine, TaskView } from "../../../src/engine/api.ts";
import { it, openWorld } from "../../support/engine/engine-test.ts";
import { hookTask, settledTask, until } from "../../support/engine/engine-world.ts";
import { faultOf } from "../../support/engine/scripted-world.ts";

const hookOf = (changes: Record<string, unknown>) => ({
  id: "setup",
  title: "Set up",
  description: "Gets everything ready",
  events: ["onAfterInstall"],
  optional: false,
  entrypoint: "run",
  scriptContent: "export async function run() {}",
  ...changes,
});

const ASKS = {
  inputs: [{ id: "word", type: "question", question: { question: "Word", type: "text", key: "word", required: true } }],
};
const FAILS_AT_A_CHECKPOINT = {
  scriptContent: `export async function run(ctx) {
    ctx.registerCheckpoints([{ id: "one", message: "One" }, { id: "two", message: "Two" }]);
    await ctx.emitCheckpoint("one");
    await ctx.awaitCheckpointRetry("two", "not there");
  }`,
};

async function installed(hook: Record<string, unknown>) {
  const world = await openWorld({ catalog: { demo: { hooks: [hookOf(hook)] } } });
  const { id } = await world.engine.install("demo");
  const view = await settledTask(world.engine, id);
  return { ...world, id, view, hook: hookTask(view, "setup") };
}

/** Gives a task a command, values where it has inputs; the code of what refuses it, null where it is taken. */
async function giveCommand(engine: Engine, id: string, command: Command, values = {}): Promise<unknown> {
  const given = command === "input" ? engine.input(id, values) : engine[command](id);
  return given.then(
    () => null,
    (error: { code?: unknown }) => error.code,
  );
}

/** Every command the task does not offer is refused, and changes nothing; a rollback is asked of the app. */
async function expectOthersRefused(engine: Engine, { id, commands }: TaskView): Promise<void> {
  for (const command of COMMANDS.filter((one) => one !== "rollback" && !commands.includes(one))) {
    expect([command, await giveCommand(engine, id, command)]).toEqual([command, "TASK_REFUSED"]);
  }
  expect(engine.task(id)?.commands).toEqual(commands);
}

describe("the commands of a task are those its machine takes", () => {
  it.each<[situation: string, hook: Record<string, unknown>, commands: readonly Command[]]>([
    ["that asks for input", ASKS, ["input", "skip", "cancel"]],
    ["that waits at a checkpoint", FAILS_AT_A_CHECKPOINT, ["retry", "skip", "cancel"]],
    [
      "that has failed",
      { scriptContent: 'export async function run() { throw new Error("no"); }' },
      ["retry", "skip", "cancel"],
    ],
  ])("%s", async (_situation, hook, commands) => {
    const { engine, id, ...found } = await installed(hook);
    expect(found.hook.commands).toEqual(commands);
    await expectOthersRefused(engine, found.hook);
    for (const command of commands) {
      const again = await installed(hook);
      const values = hook === ASKS ? { word: "go" } : {};
      expect([command, await giveCommand(again.engine, again.hook.id, command, values)]).toEqual([command, null]);
    }
    expect(engine.task(id)?.commands).toEqual(["cancel"]);
    await engine.cancel(id);
    const ended = await settledTask(engine, id);
    expect([ended.state, ended.commands, hookTask(ended, "setup").commands]).toEqual(["CANCELLED", [], []]);
    await expectOthersRefused(engine, ended);
  });
});

describe("the steps of a task", () => {
  it("say how far it is, and since when", async () => {
    const { engine, id, view, hook } = await installed(ASKS);
    expect(view.steps.map((step) => `${step.id} ${step.state}`)).toEqual([
      "DIRECTORIES done",
      "BEFORE_HOOKS done",
      "CREATING done",
      "STARTING done",
      "AFTER_HOOKS active",
      "LINKING pending",
    ]);
    expect([view.title, view.doing]).toEqual(["Install DEMO", "Setting up the app"]);
    expect([hook.title, hook.doing, hook.steps]).toEqual(["Set up", undefined, []]);
    await engine.input(hook.id, { word: "go" });
    const ended = await settledTask(engine, id);
    expect(ended.steps.map(({ state }) => state)).toEqual(Array.from({ length: 6 }, () => "done"));
    expect(ended.doing).toBeUndefined();
    const times = ended.steps.flatMap(({ began, ended: until }) => (began === undefined ? [] : [began, until]));
    expect(times).toEqual(times.toSorted());
    expect(ended.steps.map(({ id: step, began }) => began !== undefined && step).filter(Boolean)).toEqual([
      "DIRECTORIES",
      "CREATING",
      "STARTING",
      "AFTER_HOOKS",
    ]);
    const last = engine.history(id).at(-1)?.task;
    expect(last?.steps).toEqual(ended.steps);
  });

  it("stop where it fails, and go on from there", async () => {
    const world = await openWorld({ catalog: { demo: {} } });
    world.host.script.endJob("app.create", {
      state: "FAILED",
      fault: faultOf("HOST_CALL_FAILED", "[EFAULT] no space"),
    });
    const { id } = await world.engine.install("demo");
    const failed = await settledTask(world.engine, id);
    expect(failed).toMatchObject({ state: "FAILED", commands: ["retry", "cancel", "dismiss"] });
    expect(failed.steps.map(({ state }) => state).slice(0, 4)).toEqual(["done", "done", "stopped", "pending"]);
  });

  it("of a hook are its checkpoints, each with its times and with the failure it waits at", async () => {
    const { engine, id, hook } = await installed(FAILS_AT_A_CHECKPOINT);
    const [one, two] = hook.checkpoints;
    expect(one).toEqual({
      id: "one",
      message: "One",
      state: "COMPLETED",
      created: expect.any(String),
      updated: expect.any(String),
    });
    expect(two).toMatchObject({ state: "FAILED", failure: { message: "not there" } });
    for (const { created, updated } of hook.checkpoints) expect(created <= updated).toBe(true);
    await engine.skip(hook.id);
    const ended = hookTask(await settledTask(engine, id), "setup");
    expect(ended.checkpoints.map(({ state, failure }) => [state, failure])).toEqual([
      ["COMPLETED", undefined],
      ["SKIPPED", undefined],
    ]);
  });
});

it("a hook at work is called what it is, and says what it does", async () => {
  const world = await openWorld({
    catalog: {
      demo: { hooks: [hookOf({ scriptContent: "export async function run() { await new Promise(() => {}); }" })] },
    },
  });
  const { id } = await world.engine.install("demo");
  const find = () => world.engine.task(id)?.children[0];
  await until(world.engine, () => find()?.doing !== undefined);
  expect(find()).toMatchObject({ title: "Set up", label: "Gets everything ready", doing: "Gets everything ready" });
});

it("marks come explained", async () => {
  const world = await openWorld({ catalog: { demo: {} }, host: { deployingFor: 1e9 } });
  const { id } = await world.engine.install("demo");
  await until(world.engine, () => world.engine.task(id)?.waitingFor?.kind === "app");
  world.host.script.setAppState("demo", "CRASHED");
  const { marks, remarks } = await settledTask(world.engine, id);
  expect(marks).toEqual(["notRunning: CRASHED"]);
  expect(remarks).toEqual([
    { code: "notRunning", params: { state: "CRASHED" }, text: "the app did not come up in time, it is CRASHED" },
  ]);
});
