/** `GET tasks/{id}/trace`: the way of a task's machine, in pages, as its events lead it. */
import { describe, expect } from "vitest";
import type { z } from "zod";
import { machines } from "../../machines/index.ts";
import { createHttpApp } from "../../src/http/app.ts";
import { Trace } from "../../src/http/schemas/tasks.ts";
import { it, openWorld } from "../support/engine/engine-test.ts";
import { hookTask, settledTask } from "../support/engine/engine-world.ts";

const asking = {
  hooks: [
    {
      id: "setup",
      title: "Set up",
      events: ["onAfterInstall"],
      optional: false,
      inputs: [
        { id: "word", type: "question", question: { question: "Word", type: "password", key: "word", required: true } },
      ],
      scriptContent: `export async function run(ctx) {
        await ctx.awaitCheckpointRetry("one", "the word " + ctx.getInput("word") + " is wrong");
      }`,
      entrypoint: "run",
    },
  ],
};

async function installed() {
  const world = await openWorld({ catalog: { demo: asking } });
  const { id } = await world.engine.install("demo");
  const hook = hookTask(await settledTask(world.engine, id), "setup");
  const app = createHttpApp(world.engine);
  const trace = async (task: string, query = "") =>
    Trace.parse(await (await app.request(`/api/tasks/${task}/trace${query}`)).json());
  return { ...world, id, hook, trace };
}

/** Whether a machine has a state of this path. */
function hasState(machine: string, path: string): boolean {
  const registered = Object.values(machines).find(({ id }) => id === machine);
  type Node = { readonly states?: Readonly<Record<string, Node>> };
  let node: Node | undefined = registered?.machine.root;
  for (const name of path.split(".")) node = node?.states?.[name];
  return node !== undefined;
}

describe("the trace of a task", () => {
  it("leads from its beginning to where it is, through every state it passed", async () => {
    const { engine, id, hook, trace } = await installed();
    expect(await trace(hook.id)).toMatchObject({
      machine: "hook-task",
      version: 1,
      active: ["ACTIVE.AWAITING_INPUT.OPEN.ASKING"],
    });
    await engine.input(hook.id, { word: "open sesame" });
    await settledTask(engine, id);
    expect((await trace(hook.id)).active).toEqual(["ACTIVE.EXECUTING.AT_CHECKPOINT"]);
    await engine.skip(hook.id);
    await settledTask(engine, id);

    const { active, entries } = await trace(hook.id);
    expect(active).toEqual(["COMPLETED"]);
    const way = entries.flatMap(({ states = [] }) => states);
    expect(way).toEqual([
      "PENDING",
      "ACTIVE.COLLECTING",
      "ACTIVE.AWAITING_INPUT.OPEN.ASKING",
      "ACTIVE.EXECUTING.QUEUED",
      "ACTIVE.EXECUTING.SCRIPT",
      "ACTIVE.EXECUTING.AT_CHECKPOINT",
      "ACTIVE.EXECUTING.SCRIPT",
      "COMPLETED",
    ]);
    const causes = entries.map(({ cause }) => cause);
    expect(causes).toEqual(expect.arrayContaining(["parent.start", "inputs.missing", "user.input", "user.skip"]));
    expect(entries.find(({ cause }) => cause === "user.input")?.states).toEqual(["ACTIVE.EXECUTING.QUEUED"]);

    const whole = await trace(id);
    expect([whole.machine, whole.active]).toEqual(["install", ["COMPLETED"]]);
    // Passed through in one turn: no hook runs before this app.
    expect(whole.entries.flatMap(({ states = [] }) => states)).toContain("RUNNING.BEFORE_HOOKS");
    for (const { machine, entries: passed } of [whole, await trace(hook.id)]) {
      const states = passed.flatMap(({ states: entered = [] }) => entered);
      expect(states.filter((path) => !hasState(machine, path))).toEqual([]);
    }
    expect(JSON.stringify([whole, entries])).not.toContain("sesame");
  });

  it("comes in pages that are the whole", async () => {
    const { hook, trace } = await installed();
    const whole = await trace(hook.id);
    expect(whole.next).toBeUndefined();
    const pages: unknown[] = [];
    for (let from: number | undefined = 0; from !== undefined; ) {
      const page: z.infer<typeof Trace> = await trace(hook.id, `?limit=2&from=${from}`);
      expect(page.active).toEqual(whole.active);
      expect(page.entries.length).toBeLessThanOrEqual(2);
      pages.push(...page.entries);
      from = page.next;
    }
    expect(pages).toEqual(whole.entries);
  });

  it("shows what was refused with its reason, and changes nothing", async () => {
    const { engine, hook, trace } = await installed();
    await expect(engine.dismiss(hook.id)).rejects.toMatchObject({ code: "TASK_REFUSED" });
    const { active, entries } = await trace(hook.id);
    expect(entries.at(-1)).toMatchObject({ type: "task.dropped", cause: "user.dismiss", reason: expect.any(String) });
    expect([entries.at(-1)?.states, active]).toEqual([undefined, ["ACTIVE.AWAITING_INPUT.OPEN.ASKING"]]);
  });

  it("of a task whose beginning is no longer kept has only where it ended", async () => {
    const { engine, store, id, hook, trace } = await installed();
    await engine.cancel(id);
    await settledTask(engine, id);
    expect(store.pruneEndedTasks(0)).toBe(1);
    expect(await trace(hook.id)).toMatchObject({ machine: "hook-task", active: ["CANCELLED"] });
    for (const { states } of (await trace(id)).entries) expect(states).toBeUndefined();
  });
});
