/** Random steps of people, hosts, clocks and kills against one runtime: the invariants hold at the end. */
import { copyFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { EngineError } from "../../src/core/codes/problems.ts";
import { hasEnded } from "../../src/core/task-states.ts";
import { listTasks } from "../../src/engine/methods/read-tasks.ts";
import { replayTask } from "../../src/engine/replay/replay.ts";
import {
  createHeldHandler,
  createTestFolder,
  createWorld,
  type HeldHandler,
  type World,
} from "../support/engine/runtime-world.ts";
import { singleEffect } from "../support/machines/single-effect-machine.ts";
import { createTestClock } from "../support/test-clock.ts";

type ChaosStep =
  | { readonly kind: "start"; readonly claim: string }
  | { readonly kind: "decide"; readonly task: number; readonly event: string }
  | { readonly kind: "answer"; readonly call: number; readonly ok: boolean }
  | { readonly kind: "report"; readonly call: number }
  | { readonly kind: "advance" | "step"; readonly ms: number }
  | { readonly kind: "restart"; readonly clean: boolean };

const step: fc.Arbitrary<ChaosStep> = fc.oneof(
  fc.record({ kind: fc.constant("start" as const), claim: fc.constantFrom("app:a", "app:b") }),
  fc.record({
    kind: fc.constant("decide" as const),
    task: fc.nat(5),
    event: fc.constantFrom("user.retry", "user.cancel", "user.dismiss", "user.explode", "user.nonsense"),
  }),
  fc.record({ kind: fc.constant("answer" as const), call: fc.nat(8), ok: fc.boolean() }),
  fc.record({ kind: fc.constant("report" as const), call: fc.nat(8) }),
  fc.record({ kind: fc.constant("advance" as const), ms: fc.integer({ min: 1, max: 90_000 }) }),
  fc.record({ kind: fc.constant("step" as const), ms: fc.integer({ min: -1e9, max: 1e9 }) }),
  fc.record({ kind: fc.constant("restart" as const), clean: fc.boolean() }),
);

class Chaos {
  folder = createTestFolder();
  readonly clock = createTestClock();
  readonly run: HeldHandler = createHeldHandler({ class: "idempotent" });
  readonly report: HeldHandler = createHeldHandler({ class: "local" });
  world: World = this.open();
  readonly started: string[] = [];

  private open(): World {
    const handlers = { "work.run": this.run, "work.report": this.report };
    return createWorld({ folder: this.folder.path, registry: [singleEffect], handlers, clock: this.clock });
  }

  async take(step: ChaosStep): Promise<void> {
    switch (step.kind) {
      case "start":
        this.started.push(
          this.world.runtime.start({
            machine: "single-effect",
            input: { label: "bread" },
            kind: "update",
            appId: step.claim,
            claim: step.claim,
          }).id,
        );
        break;
      case "decide":
        this.world.runtime.send(this.started[step.task] ?? "nobody", { type: step.event });
        break;
      case "answer":
        this.run.calls[step.call]?.answer(
          step.ok ? { type: "host.done", answer: "fresh" } : { type: "host.failed", message: "closed" },
        );
        break;
      case "report":
        this.run.calls[step.call]?.run.emit({ type: "host.progress", percent: 5 });
        break;
      case "advance":
        this.clock.advance(step.ms);
        break;
      case "step":
        this.clock.step(step.ms);
        break;
      case "restart":
        await this.restart(step.clean);
    }
  }

  async restart(clean: boolean): Promise<void> {
    const image = createTestFolder();
    const copy = () => {
      for (const name of readdirSync(this.folder.path)) {
        if (!/-shm$|\.lock/.test(name)) copyFileSync(join(this.folder.path, name), join(image.path, name));
      }
    };
    if (!clean) copy();
    await this.world.close();
    if (clean) copy();
    this.folder.remove();
    this.folder = image;
    this.world = this.open();
    await this.world.runtime.recover();
  }

  /** What must hold whatever happened. */
  check(): void {
    const { store } = this.world;
    const log = store.logAfter(0, 100_000);
    expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index + 1));
    const progress = new Map<string, number>();
    for (const { taskId, task } of log) {
      expect(task.progress).toBeGreaterThanOrEqual(progress.get(taskId) ?? 0);
      expect(task.progress === 100).toBe(task.state === "COMPLETED");
      progress.set(taskId, task.progress);
    }
    const roots = listTasks(store, {});
    const holding = roots.filter(({ state }) => !hasEnded(state));
    expect(new Set(holding.map(({ appId }) => appId)).size).toBe(holding.length);
    for (const { id } of roots) {
      const row = store.task(id);
      if (row === null) throw new Error(`task "${id}" is not stored`);
      expect(replayTask(store, { "single-effect": singleEffect }, row).difference).toBeNull();
      const { state } = row.facts;
      const waits = state === "AWAITING_RETRY" || state === "FAILED" || row.quarantine !== null;
      const goesOn = store.openEffects(row.id).length + store.timers(row.id).length > 0;
      expect(waits || goesOn || ["COMPLETED", "CANCELLED", "DISMISSED"].includes(state)).toBe(true);
    }
  }

  async end(): Promise<void> {
    await this.world.close();
    this.folder.remove();
  }
}

describe("a runtime under chaos", () => {
  test("keeps order, claims and progress, throws only refusals, and leaves no task without a next step", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
        const chaos = new Chaos();
        try {
          for (const next of steps) {
            try {
              await chaos.take(next);
            } catch (error) {
              if (!(error instanceof EngineError && error.code.startsWith("TASK_"))) throw error;
            }
            await new Promise(setImmediate);
          }
          chaos.check();
        } finally {
          await chaos.end();
        }
      }),
      { numRuns: 40 },
    );
  });
});
