import { describe, expect } from "vitest";
import { METRICS } from "../../../src/engine/telemetry/metric-table.ts";
import { it, openWorld } from "../../support/engine/engine-test.ts";
import { hookTask, settledTask } from "../../support/engine/engine-world.ts";
import { listTraces, recordTelemetry } from "../../support/engine/recorded-telemetry.ts";
import { FAILS_AS_WISHED, WISH } from "../../support/scripts/scripts.ts";

const DEMO = {
  hooks: [
    {
      id: "setup",
      title: "Set up",
      events: ["onAfterInstall"],
      inputs: [WISH],
      scriptContent: FAILS_AS_WISHED,
      entrypoint: "run",
    },
  ],
  widgetsSchema: 2,
  widgets: [
    {
      id: "tile",
      title: "Tile",
      scriptContent: `export async function query() { return { fields: { n: { type: "text", text: "7" } } }; }`,
      entrypoint: "query",
      refresh: 60,
    },
  ],
};

describe("the metrics of an engine", () => {
  it("tell what it did and how it stands, told apart by names of the code alone", async () => {
    const telemetry = recordTelemetry();
    const { engine, store } = await openWorld({ catalog: { demo: DEMO }, engine: { telemetry: telemetry.settings } });
    const watched = engine.watch(0)[Symbol.asyncIterator]();
    const first = watched.next();
    const { id } = await engine.install("demo");
    await first;
    const setup = hookTask(await settledTask(engine, id), "setup").id;

    const waiting = await telemetry.collect();
    const valuesOf = (metrics: typeof waiting, name: string) =>
      metrics.get(name)?.map(({ attributes, value }) => [...Object.values(attributes), value].join(" ")) ?? [];
    expect(valuesOf(waiting, "slipway.task.count").toSorted()).toEqual(["hook AWAITING_INPUT 1", "install RUNNING 1"]);
    expect(valuesOf(waiting, "slipway.task.ended")).toEqual([]);
    expect(valuesOf(waiting, "slipway.turn.queue")).toEqual(["0"]);
    // The engine follows its own log too.
    expect(waiting.get("slipway.watcher.count")?.[0]?.value).toBeGreaterThan(0);
    // The first event was asked for, and is told once the next one is.
    expect(valuesOf(waiting, "slipway.watcher.lag")).toEqual([`${store.lastSeq()}`]);
    expect(waiting.get("slipway.database.size")?.[0]?.value).toBeGreaterThan(10_000);
    expect(valuesOf(waiting, "slipway.sandbox.queue")).toEqual(["hook 0", "widget 0"]);

    await watched.return?.();
    await engine.input(setup, { wish: "well" });
    expect(await settledTask(engine, id)).toMatchObject({ state: "COMPLETED" });
    await engine.queryWidget("demo", "tile");
    const ended = await telemetry.collect();
    // What is there no more is told as none, not as it was last.
    expect(valuesOf(ended, "slipway.task.count").toSorted()).toEqual(["hook AWAITING_INPUT 0", "install RUNNING 0"]);
    expect(valuesOf(ended, "slipway.task.ended").toSorted()).toEqual(["hook COMPLETED 1", "install COMPLETED 1"]);
    expect(valuesOf(ended, "slipway.sandbox.runs").toSorted()).toEqual(["hook completed 1", "widget completed 1"]);
    expect(valuesOf(ended, "rpc.client.call.duration")).toContain("jsonrpc createApp 1");
    const turns = store.taskLog(setup).filter(({ event }) => event.type !== "task.start").length;
    expect(valuesOf(ended, "slipway.turn.duration")).toContain(`hook taken ${turns}`);

    // A query belongs to no task: it is a trace beside the install's.
    const query = telemetry.spans().find(({ name }) => name === "widget query");
    expect(query?.attributes).toMatchObject({ "slipway.app.id": "demo", "slipway.run.end": "completed" });
    expect(listTraces(telemetry.spans())).toHaveLength(2);

    const rows = new Map<string, (typeof METRICS)[keyof typeof METRICS]>(
      Object.values(METRICS).map((row) => [row.name, row]),
    );
    for (const [name, values] of [...waiting, ...ended]) {
      for (const { attributes } of values) {
        expect(rows.get(name)?.attributes, name).toEqual(expect.arrayContaining(Object.keys(attributes)));
      }
    }
  });

  it("tell of effects in flight with the age of the oldest, and of what fails", async () => {
    const telemetry = recordTelemetry();
    const { engine, host } = await openWorld({ catalog: { demo: {} }, engine: { telemetry: telemetry.settings } });
    const { waitJob } = host;
    const asked = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<void>();
    host.waitJob = async (...call) => {
      asked.resolve();
      await answer.promise;
      return waitJob(...call);
    };
    const { id } = await engine.install("demo");
    await asked.promise;
    const during = await telemetry.collect();
    const name = { "slipway.effect.name": "host.app.create" };
    expect(during.get("slipway.effect.in_flight")).toEqual([{ attributes: name, value: 1 }]);
    expect(during.get("slipway.effect.oldest_age")).toEqual([{ attributes: name, value: expect.any(Number) }]);
    answer.resolve();
    await settledTask(engine, id);
    const settled = await telemetry.collect();
    for (const metric of ["slipway.effect.in_flight", "slipway.effect.oldest_age"])
      expect(settled.get(metric)).toEqual([{ attributes: name, value: 0 }]);

    host.script.refuse("app.stop", { code: "HOST_CALL_FAILED", reason: "no", fields: [], retryable: false }, "no");
    const stopped = await settledTask(engine, (await engine.stopApp("demo")).id);
    expect(stopped.state).toBe("FAILED");
    const after = await telemetry.collect();
    expect(after.get("slipway.task.ended")).toContainEqual({
      attributes: { "slipway.task.kind": "stop", "slipway.task.state": "FAILED" },
      value: 1,
    });
    expect(after.get("rpc.client.call.duration")).toContainEqual({
      attributes: { "rpc.system.name": "jsonrpc", "rpc.method": "stopApp", "error.type": "HOST_CALL_FAILED" },
      value: 1,
    });
  });
});
