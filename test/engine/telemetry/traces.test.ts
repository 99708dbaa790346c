import { context, type TracerProvider, trace } from "@opentelemetry/api";
import type { ReadableSpan } from "@opentelemetry/sdk-trace";
import { describe, expect } from "vitest";
import { SPANS } from "../../../src/engine/telemetry/span-table.ts";
import { it, openWorld } from "../../support/engine/engine-test.ts";
import { hookTask, settledTask } from "../../support/engine/engine-world.ts";
import { listPaths, listTraces, recordTelemetry } from "../../support/engine/recorded-telemetry.ts";

const hook = (more: Record<string, unknown> = {}) => ({
  id: "setup",
  title: "Set up",
  events: ["onAfterInstall"],
  scriptContent: "export async function run(ctx) {}",
  entrypoint: "run",
  ...more,
});

/** What the table of docs/operating.md says of a span of this name. */
function rowOf({ name }: ReadableSpan) {
  const first = name.split(" ")[0];
  return Object.values(SPANS).find((row) => row.name === name || row.name.startsWith(`${first} <`)) ?? SPANS.hostCall;
}

describe("the trace of an install", () => {
  it("is one, with its turns, effects, host calls and hook runs where they belong", async () => {
    const telemetry = recordTelemetry();
    const { engine } = await openWorld({
      catalog: { demo: { hooks: [hook()] } },
      engine: { telemetry: telemetry.settings },
    });
    const { id } = await engine.install("demo");
    await settledTask(engine, id);
    await engine.close();
    const spans = telemetry.spans();
    expect(listTraces(spans)).toHaveLength(1);
    const install = "task install";
    const ran = `${install} > task hook`;
    // How often the host tells of progress, and is asked whether the app runs, is its own affair.
    const paths = new Set(listPaths(spans).filter((path) => !path.endsWith(" > turn host.app.progress")));
    expect([...paths].toSorted()).toEqual(
      [
        install,
        `${install} > turn xstate.init`,
        `${install} > effect host.directories`,
        `${install} > turn host.done`,
        `${install} > effect host.app.create`,
        `${install} > effect host.app.create > app`,
        `${install} > effect host.app.create > createApp`,
        `${install} > effect host.app.create > waitJob`,
        `${install} > effect host.app.wait`,
        `${install} > effect host.app.wait > app`,
        `${install} > turn app.running`,
        `${install} > turn child.changed`,
        ran,
        `${ran} > turn xstate.init`,
        `${ran} > turn parent.start`,
        `${ran} > effect hook.collectInputs`,
        `${ran} > turn inputs.complete`,
        `${ran} > effect hook.run`,
        `${ran} > effect hook.run > addresses`,
        `${ran} > effect hook.run > apps`,
        `${ran} > effect hook.run > facts`,
        `${ran} > effect hook.run > hook run`,
        `${ran} > turn run.started`,
        `${ran} > turn run.completed`,
      ].toSorted(),
    );
    const create = spans.find(({ name }) => name === "effect host.app.create");
    expect(create?.attributes).toEqual({
      "slipway.effect.id": expect.stringContaining(`${id}:`),
      "slipway.effect.class": "create",
      "slipway.effect.resumed": false,
      "slipway.event.type": "host.done",
    });
    expect(spans.at(-1)?.attributes).toEqual({
      "slipway.task.id": id,
      "slipway.task.kind": "install",
      "slipway.task.state": "COMPLETED",
      "slipway.task.resumed": false,
      "slipway.app.id": "demo",
    });
    for (const span of spans)
      expect(rowOf(span).attributes, span.name).toEqual(expect.arrayContaining(Object.keys(span.attributes)));
  });

  it("goes on in the next life of the engine", async () => {
    const telemetry = recordTelemetry();
    const input = { type: "question", id: "name", question: { question: "Name?", type: "text", key: "name" } };
    const world = await openWorld({
      catalog: { demo: { hooks: [hook({ inputs: [input] })] } },
      engine: { telemetry: telemetry.settings },
    });
    const { id } = await world.engine.install("demo");
    const view = await settledTask(world.engine, id);
    expect(hookTask(view, "setup").state).toBe("AWAITING_INPUT");
    const { engine } = await world.crash();
    await engine.input(hookTask(view, "setup").id, { name: "Ada" });
    expect(await settledTask(engine, id)).toMatchObject({ state: "COMPLETED" });
    const spans = telemetry.spans();
    expect(listTraces(spans)).toHaveLength(1);
    const lives = spans.filter(({ name }) => name === "task install");
    expect(lives.map(({ attributes }) => attributes["slipway.task.resumed"])).toEqual([false, true]);
    expect(
      listPaths(
        spans.slice(
          spans.findIndex(
            ({ attributes }) =>
              attributes["slipway.task.resumed"] === false && attributes["slipway.task.kind"] === "install",
          ) + 1,
        ),
      ),
    ).toContain("task install > task hook > effect hook.run > hook run");
  });

  it("shows a failure by its code, and a retry as a span of its own", async () => {
    const telemetry = recordTelemetry();
    const { engine, host } = await openWorld({ catalog: { demo: {} }, engine: { telemetry: telemetry.settings } });
    host.script.refuse("app.create", { code: "HOST_CALL_FAILED", reason: "no", fields: [], retryable: false }, "no");
    const { id } = await engine.install("demo");
    const failed = await settledTask(engine, id);
    expect(failed.state).toBe("FAILED");
    await engine.retry(id);
    await settledTask(engine, id);
    const attempts = telemetry.spans().filter(({ name }) => name === "task install");
    expect(attempts.map(({ attributes, status }) => [attributes["error.type"], status.code])).toEqual([
      [failed.failure?.code, 2],
      [undefined, 0],
    ]);
  });

  it("names the request it began with", async () => {
    const telemetry = recordTelemetry();
    const { engine } = await openWorld({ catalog: { demo: {} }, engine: { telemetry: telemetry.settings } });
    const request = telemetry.settings.tracerProvider?.getTracer("embedder").startSpan("POST /install");
    if (request === undefined) throw new Error("there is no tracer");
    const { id } = await context.with(trace.setSpan(context.active(), request), () => engine.install("demo"));
    await settledTask(engine, id);
    const task = telemetry.spans().find(({ name }) => name === "task install");
    expect(task?.links.map((link) => link.context.spanId)).toEqual([request.spanContext().spanId]);
    expect(task?.spanContext().traceId).not.toBe(request.spanContext().traceId);
  });
});

describe("an SDK that throws", () => {
  it("harms no task", async () => {
    const throwing = () => {
      throw new Error("the SDK is broken");
    };
    const tracerProvider: TracerProvider = {
      getTracer: () => ({ startSpan: throwing, startActiveSpan: throwing }),
    };
    const { engine } = await openWorld({
      catalog: { demo: { hooks: [hook()] } },
      engine: { telemetry: { tracerProvider } },
    });
    const { id } = await engine.install("demo");
    expect(await settledTask(engine, id)).toMatchObject({ state: "COMPLETED" });
  });
});
