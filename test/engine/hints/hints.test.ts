/** What an engine's watchers, and clients of its stream, are told is worth reading anew. */
import { describe, expect } from "vitest";
import { readEventStream } from "../../../src/cli/options/event-stream.ts";
import type { Engine, EngineHint } from "../../../src/engine/api.ts";
import { createHttpApp } from "../../../src/http/app.ts";
import { Hint } from "../../../src/http/schemas/events.ts";
import { it, openWorld } from "../../support/engine/engine-test.ts";
import { settledTask } from "../../support/engine/engine-world.ts";
import { on, rawHook } from "../../support/scripts/scripts.ts";
import { WITHIN_MS } from "../../support/within.ts";

/** Watches from now on; the answer waits until all these were told, and answers everything that was. */
function collect(engine: Engine) {
  const told: EngineHint[] = [];
  const hints = engine.watchHints(AbortSignal.timeout(WITHIN_MS))[Symbol.asyncIterator]();
  let next = hints.next();
  return async (wanted: readonly EngineHint[]) => {
    const missing = () => wanted.filter((hint) => !told.some((one) => JSON.stringify(one) === JSON.stringify(hint)));
    while (missing().length > 0) {
      const { value, done } = await next;
      if (done === true) throw new Error(`never told: ${JSON.stringify(missing())}, but ${JSON.stringify(told)}`);
      told.push(value);
      next = hints.next();
    }
    return told;
  };
}

const catalogHint = (changes: Partial<Record<"added" | "changed" | "removed", readonly string[]>>) => ({
  type: "catalog.changed" as const,
  added: [],
  changed: [],
  removed: [],
  whole: true,
  ...changes,
});

describe("an engine hints at", () => {
  it("apps that were installed, and at none that is internal", async () => {
    const { engine, host } = await openWorld({ catalog: { demo: {}, secret: { internal: true }, other: {} } });
    await settledTask(engine, (await engine.install("other")).id);
    const before = host.script.calls.length;
    const told = collect(engine);
    // What changes after the first look is told.
    await expect.poll(() => host.script.calls.slice(before).map(({ method }) => method)).toContain("app.query");
    await settledTask(engine, (await engine.install("demo")).id);
    const { instances } = host.script.world;
    const made = instances.get("demo");
    if (made === undefined) throw new Error("demo was not installed");
    instances.set("secret", { ...made, app: { ...made.app, name: "secret", appId: "secret" } });
    await told([{ type: "app.changed", appId: "demo" }]);
    host.script.setAppState("other", "STOPPED");
    await settledTask(engine, (await engine.update("demo")).id);
    const all = await told([{ type: "app.changed", appId: "other" }]);
    expect(JSON.stringify(all)).not.toContain("secret");
  });

  it("apps the catalog has more, less or otherwise, when it is read anew", async () => {
    const { engine, write } = await openWorld({ catalog: { a: {}, b: {}, secret: { internal: true } } });
    await engine.apps();
    const told = collect(engine);
    write({
      a: { app_values: { changed: true } },
      b: { internal: true },
      c: {},
      secret: { internal: true, app_values: {} },
    });
    await engine.syncCatalog();
    expect(await told([catalogHint({ added: ["c"], changed: ["a"], removed: ["b"] })])).toHaveLength(1);
    await engine.syncCatalog();
    write({ d: {} });
    await engine.syncCatalog();
    expect(await told([catalogHint({ added: ["d"] })])).toHaveLength(2);
  });

  it("notifications that were read, once, and at a dashboard that was arranged", async () => {
    const hook = rawHook({ conditions: [on("other")] });
    const { engine } = await openWorld({ catalog: { demo: { hooks: [hook] }, other: {} }, host: { deployingFor: 0 } });
    await settledTask(engine, (await engine.install("other")).id);
    const links = [{ hookId: "connect", runsOnAppId: "demo", targets: ["other"] }];
    await settledTask(engine, (await engine.install("demo", { links })).id);
    const told = collect(engine);
    const id = engine.notifications()[0]?.id ?? "";
    engine.readNotification(id);
    engine.readNotification(id);
    engine.readNotifications();
    await engine.arrangeDashboard({ tiles: [] });
    const all = await told([{ type: "notification.read", id }, { type: "dashboard.changed" }]);
    expect(all.filter(({ type }) => type === "notification.read")).toHaveLength(1);
  });

  it("nothing more once it is closed", async () => {
    const { engine } = await openWorld({ catalog: {} });
    const hints = engine.watchHints()[Symbol.asyncIterator]();
    const next = hints.next();
    await engine.close();
    expect((await next).done).toBe(true);
  });
});

describe("GET events", () => {
  it("has hints without an id beside the changes, which none of them keeps from being replayed", async () => {
    const { engine } = await openWorld({ catalog: { demo: {} } });
    const app = createHttpApp(engine);
    /** Reads until the last of these events has come, as text. */
    const read = async (headers: Record<string, string>, enough: (text: string) => boolean, then = () => {}) => {
      const gone = new AbortController();
      const response = await app.request("/api/events", { headers, signal: gone.signal });
      let text = "";
      for await (const chunk of (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
        if (text === "") then();
        text += chunk;
        if (enough(text)) break;
      }
      gone.abort();
      return text;
    };
    const first = await read(
      {},
      (text) => text.includes("event: dashboard.changed\n") && text.includes('"state":"COMPLETED"'),
      () => void engine.arrangeDashboard({ tiles: [] }).then(() => engine.install("demo")),
    );
    const blocks = first.split("\n\n").filter((block) => block.startsWith("event: ") || block.startsWith("id: "));
    const hints = blocks.filter((block) => /event: (\w+\.changed|hints\.lost|notification\.read)/.test(block));
    expect(hints.length).toBeGreaterThan(0);
    for (const block of hints) expect(block).not.toMatch(/^id:/m);
    const last = Number(
      first
        .match(/^id: (\d+)$/gm)
        ?.at(-1)
        ?.slice(4),
    );
    expect(last).toBe(engine.lastSeq());
    const again = await read({ "last-event-id": String(last - 1) }, (text) => text.includes(`id: ${last}\n`));
    expect(again.match(/^id: \d+$/gm)).toEqual([`id: ${last}`]);
  });

  it("has hints of the described shape, with ids alone in them", async () => {
    const { engine } = await openWorld({ catalog: { demo: {} } });
    const gone = new AbortController();
    const response = await createHttpApp(engine).request("/api/events");
    const told: unknown[] = [];
    for await (const { event, data } of readEventStream(response.body ?? new ReadableStream(), gone.signal)) {
      if (event === "stream.opened") await engine.arrangeDashboard({ tiles: [] });
      else {
        told.push([event, Hint.parse(JSON.parse(data))]);
        break;
      }
    }
    expect(told).toEqual([["dashboard.changed", { type: "dashboard.changed" }]]);
  });
});
