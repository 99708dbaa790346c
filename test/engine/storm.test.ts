import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EngineError } from "../../src/core/problems.ts";
import type { Engine, TaskView } from "../../src/engine/api.ts";
import { createEngineWorld, type EngineWorld, settledTask } from "../support/engine-world.ts";
import { createScriptedSandbox } from "../support/scripted-sandbox.ts";
import { faultOf } from "../support/scripted-world.ts";

const hook = (id: string, events: readonly string[], more = {}) => ({
  id,
  title: id,
  events,
  entrypoint: "run",
  scriptContent: "export async function run() {}",
  ...more,
});

const QUESTION = { question: "Name?", type: "text", key: "name", required: true };
const SCRIPT = {
  requirements: { locations: ["Media"], specifications: [], permissions: [], ports: [] },
  ensure_directories_exists: [{ path: "$LOCATION(Media)/demo", owner: { user: "apps" }, network_share: true }],
  hooks: [
    hook("before", ["onBeforeInstall"], { retries: 1 }),
    hook("asks", ["onAfterInstall"], { inputs: [{ type: "question", id: "name", question: QUESTION }] }),
    hook("optional", ["onAfterInstall"], { optional: true }),
  ],
};

const act = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constantFrom("retry", "skip", "input" as const), task: fc.nat({ max: 3 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constantFrom("cancel", "dismiss" as const), task: fc.nat({ max: 3 }) }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom("wait" as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom("fail", "lose", "loseRefused", "silence", "install", "restart" as const),
    }),
  },
);
type Act = typeof act extends fc.Arbitrary<infer A> ? A : never;

/** What each run of a script does, in the order the runs begin. */
const runs = fc.array(fc.constantFrom("completes", "fails", "asks" as const), { maxLength: 12 });

const FINAL = ["COMPLETED", "SKIPPED", "DISMISSED", "CANCELLED"];
const flat = (task: TaskView): readonly TaskView[] => [task, ...task.children.flatMap(flat)];

/** Clicks may be refused; anything but an `EngineError` is a bug. */
async function tolerate(doing: Promise<unknown>): Promise<void> {
  await doing.catch((error: unknown) => expect(error).toBeInstanceOf(EngineError));
}

async function perform(world: EngineWorld, step: Act): Promise<EngineWorld> {
  const { engine, host } = world;
  const tasks = engine.tasks().flatMap(flat);
  const pick = "task" in step ? tasks[step.task % Math.max(1, tasks.length)] : undefined;
  switch (step.do) {
    case "retry":
    case "skip":
    case "cancel":
    case "dismiss":
      if (pick) await tolerate(engine[step.do](pick.id));
      break;
    case "input":
      if (pick) await tolerate(engine.input(pick.id, { name: "Ann" }));
      break;
    case "fail":
      host.script.endJob("app.create", { state: "FAILED", fault: faultOf("HOST_CALL_FAILED", "no") });
      break;
    case "lose":
    case "loseRefused":
      host.script.loseAnswer("app.create", step.do === "lose");
      break;
    case "silence":
      host.script.setAppsService("INITIALIZING");
      await setImmediate();
      host.script.setAppsService("RUNNING");
      break;
    case "install":
      await tolerate(engine.install("demo"));
      break;
    case "restart":
      return world.restart();
    case "wait":
      for (let turn = 0; turn < 20; turn += 1) await setImmediate();
  }
  return world;
}

/** A person answers and skips what waits, then cancels what is left: so every task can be brought to an end. */
async function endAll(engine: Engine): Promise<void> {
  for (let round = 0; round < 8; round += 1) {
    for (const { id } of engine.tasks({ unfinished: true })) {
      await settledTask(engine, id);
      await tolerate(engine.input(id, { name: "Ann" }));
      await tolerate(engine.skip(id));
      if (round > 4) await tolerate(engine.cancel(id));
      await settledTask(engine, id);
    }
  }
}

describe("clicks, faults and restarts in any order", () => {
  it("leave no exception, no stuck task, no second app.create, and progress never runs backwards", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(act, { maxLength: 25 }), runs, async (steps, endings) => {
        const left = [...endings];
        const sandbox = createScriptedSandbox(async (door) => {
          await door.call({ kind: "registerCheckpoints", checkpoints: [{ id: "one", message: "One" }] });
          const next = left.shift() ?? "completes";
          if (next === "asks") {
            await door.call({ kind: "awaitCheckpointRetry", id: "one", error: "not yet", context: [] });
          }
          await door.call({ kind: "emitCheckpoint", id: "one" });
          return next === "fails" ? "failed" : "completed";
        });
        let world = await createEngineWorld({
          catalog: { demo: SCRIPT },
          host: { datasets: ["tank", "tank/media"] },
          engine: { sandbox },
        });
        try {
          await tolerate(world.engine.install("demo"));
          for (const step of steps) world = await perform(world, step);
          await endAll(world.engine);
          for (const task of world.engine.tasks().flatMap(flat)) expect(FINAL, task.id).toContain(task.state);
          const progress = new Map<string, number>();
          for (const { task } of world.store.logAfter(0, 100_000)) {
            expect(task.progress).toBeGreaterThanOrEqual(progress.get(task.id) ?? 0);
            progress.set(task.id, task.progress);
          }
          expect(world.store.unfinished().filter(({ quarantine }) => quarantine !== null)).toEqual([]);
          const { shares, instances } = world.host.script.world;
          expect(shares.length).toBeLessThanOrEqual(1);
          expect(instances.size).toBeLessThanOrEqual(1);
          const sent = world.host.script.changes().filter(({ method }) => method === "app.create");
          const again = sent.length - new Set(sent.map(({ requestId }) => requestId)).size;
          expect(again).toBeLessThanOrEqual(steps.filter((step) => step.do === "loseRefused").length);
        } finally {
          await world.close();
        }
      }),
      { numRuns: 40 },
    );
  });
});
