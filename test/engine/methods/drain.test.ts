/** An engine that is drained: what it refuses, what it waits for, and what it says meanwhile. */
import { expect } from "vitest";
import type { Engine, EngineHint } from "../../../src/engine/api.ts";
import { createHttpApp } from "../../../src/http/app.ts";
import { ProblemDetailsShape } from "../../../src/http/schemas/problem-details.ts";
import { Health } from "../../../src/http/schemas/system/health.ts";
import { it, openWorld } from "../../support/engine/engine-test.ts";
import { settledTask, until } from "../../support/engine/engine-world.ts";
import { action, openApp } from "../hooks/app-actions.ts";

/** More than is recorded of one answer: from here on the run would begin anew. */
const LARGE = "x".repeat(9 * 1024 * 1024);
const WAIT = `await ctx.waitForApp("/ready", { initialDelayMs: 20, maxDelayMs: 20, maxAttempts: 1000 });`;

/** An app whose hooks wait until it is ready; `large` can't be resumed while it does. */
async function openWaiting() {
  let isReady = false;
  const routes = {
    "GET /large": () => ({ status: 200, body: LARGE }),
    "GET /ready": () => ({ status: isReady ? 200 : 503 }),
  };
  const hooks = [
    action("large", `await (await fetch(ctx.baseUrl + "/large")).text();\n${WAIT}`),
    action("small", WAIT),
  ];
  const { world } = await openApp(routes, hooks);
  return {
    world,
    ready: () => {
      isReady = true;
    },
    begin: async (hookId: string) => {
      const { id } = await world.engine.runAction("demo", hookId);
      await until(world.engine, () =>
        hookId === "large"
          ? world.engine.task(id)?.marks.includes("notResumable") === true
          : world.engine.task(id)?.state === "RUNNING",
      );
      return id;
    },
  };
}

async function firstHint(engine: Engine, wanted: EngineHint["type"]): Promise<void> {
  for await (const { type } of engine.watchHints()) if (type === wanted) return;
}

it("lets a hook that can't be resumed come to its end, refuses new work and says so", async () => {
  const { world, begin, ready } = await openWaiting();
  const { engine } = world;
  const [large, small] = [await begin("large"), await begin("small")];
  const told = firstHint(engine, "health.changed");
  const drained = engine.drain({ deadlineMs: 60_000 });

  await told;
  expect(await engine.cancel(small)).toMatchObject({ id: small });
  const draining = expect.objectContaining({
    code: "TASK_ENGINE_DRAINING",
    details: { retryAfter: expect.any(Number) },
  });
  await expect(engine.runAction("demo", "small")).rejects.toThrow(draining);
  await expect(engine.restartApp("demo")).rejects.toThrow(draining);
  const app = createHttpApp(engine);
  const refused = await app.request(`/api/tasks/${large}/retry`, { method: "POST" });
  const { retryAfter, ...problem } = ProblemDetailsShape.parse(await refused.json());
  expect(problem).toMatchObject({ status: 503, code: "TASK_ENGINE_DRAINING" });
  expect(refused.headers.get("retry-after")).toBe(String(retryAfter));
  const { draining: shown } = Health.parse(await (await app.request("/api/health")).json());
  expect(shown).toMatchObject({ waitsFor: [large] });
  expect(engine.readiness()).toMatchObject({ ready: false, reasons: [expect.stringContaining("about to close")] });

  ready();
  expect(await drained).toEqual({ beginAnew: [] });
  const next = await world.restart();
  expect(next.engine.task(large)).toMatchObject({ state: "COMPLETED" });
});

it("waits for no hook that can be resumed, and for no other beyond the deadline", async () => {
  const { world, begin, ready } = await openWaiting();
  const [large, small] = [await begin("large"), await begin("small")];
  let closing = 0;
  const request = {
    deadlineMs: 0,
    beforeClose: async () => {
      closing += 1;
    },
  };
  const [first, again] = await Promise.all([world.engine.drain(request), world.engine.drain(request)]);
  expect([first, again, closing]).toEqual([{ beginAnew: [large] }, first, 1]);
  ready();
  const next = await world.restart();
  for (const id of [large, small]) expect(await settledTask(next.engine, id)).toMatchObject({ state: "COMPLETED" });
});

it.for([Number.POSITIVE_INFINITY, Number.NaN, -1, 1.5, 86_400_001])(
  "refuses to wait %d ms, and is not drained",
  async (deadlineMs) => {
    const { engine } = await openWorld({ catalog: {} });
    await expect(engine.drain({ deadlineMs })).rejects.toThrow(
      expect.objectContaining({
        code: "TASK_REQUEST_INVALID",
        details: { errors: [expect.objectContaining({ path: ["deadlineMs"] })] },
      }),
    );
    expect(engine.readiness()).toMatchObject({ ready: true });
  },
);
