import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { SILENT_LOGGER } from "../../src/engine/system/silent-logger.ts";
import { startHttpServer } from "../../src/http/server.ts";
import type { StreamMessage } from "../../src/web/api/follow-events.ts";
import { EventReader } from "../../src/web/api/sse.ts";
import { StreamHub } from "../../src/web/api/stream-hub.ts";
import { type ServedEngine, serveEngine } from "../support/engine/served-engine.ts";
import { startPageRelay } from "./support/page-relay.ts";

describe("the reader of server-sent events", () => {
  it("reads the same events wherever the text is cut", () => {
    const part = fc.record({
      event: fc.stringMatching(/^[a-z.]{1,9}$/),
      data: fc.array(fc.stringMatching(/^[ -~]*$/), { minLength: 1, maxLength: 3 }),
    });
    fc.assert(
      fc.property(fc.array(part), fc.array(fc.nat(40)), fc.constantFrom("\n", "\r\n"), (parts, cuts, end) => {
        const text = parts
          .map(({ event, data }, at) =>
            [`event: ${event}`, `id: ${at}`, ": a comment", ...data.map((line) => `data: ${line}`), "", ""].join(end),
          )
          .join("");
        const reader = new EventReader();
        const found = [];
        let rest = text;
        for (const cut of cuts) {
          found.push(...reader.push(rest.slice(0, cut)));
          rest = rest.slice(cut);
        }
        found.push(...reader.push(rest));
        expect(found).toEqual(parts.map(({ event, data }, at) => ({ event, id: String(at), data: data.join("\n") })));
      }),
    );
  });
});

describe("a stream that is followed", () => {
  let served: ServedEngine;
  beforeAll(async () => {
    served = await serveEngine();
  });
  afterAll(() => served?.close());

  const join = (hub: StreamHub, address: string) => {
    const heard: StreamMessage[] = [];
    const membership = hub.join({ address, headers: {} }, (message) => heard.push(message));
    const seqs = () => heard.flatMap((message) => (message.kind === "event" ? [message.event.seq] : []));
    const states = () => heard.flatMap((message) => (message.kind === "state" ? [message.state] : []));
    return { ...membership, heard, seqs, states };
  };

  it("goes on where it was when its server went away, and all hear the same of it", async () => {
    const options = { address: "127.0.0.1", port: 0, logger: SILENT_LOGGER };
    const first = await startHttpServer(served.engine, options);
    const hub = new StreamHub();
    const address = `${first.url}/api/events`;
    const [a, b] = [join(hub, address), join(hub, address)];
    await expect.poll(a.states).toContain("live");
    const { id } = await served.engine.install("demo-notes", {});
    await served.engine.settled(id);
    await expect.poll(() => a.seqs().at(-1)).toBe(served.engine.lastSeq());
    expect(b.seqs()).toEqual(a.seqs());
    await first.close();
    await expect.poll(a.states).toContain("lost");
    await served.engine.cancel(id);
    const second = await startHttpServer(served.engine, { ...options, port: Number(new URL(first.url).port) });
    await served.engine.settled(id);
    await expect.poll(() => a.seqs().at(-1)).toBe(served.engine.lastSeq());
    const from = a.seqs()[0] ?? 0;
    expect(a.seqs()).toEqual(Array.from({ length: served.engine.lastSeq() - from + 1 }, (_, at) => from + at));
    expect(a.heard.filter((message) => message.kind === "opened" && message.anew)).toEqual([]);
    const late = join(hub, address);
    expect(late.heard).toMatchObject([
      { kind: "state", state: "live" },
      { kind: "opened", seq: served.engine.lastSeq(), anew: false },
      { kind: "hint", hint: { type: "hints.lost" } },
    ]);
    for (const member of [a, b, late]) member.leave();
    await second.close();
  });

  it("is opened again where a proxy cuts it: nothing is said of that, and nothing missed", async () => {
    const relay = await startPageRelay(served.server.url);
    onTestFinished(() => relay.close());
    const hub = new StreamHub();
    const member = join(hub, `${relay.url}/api/events`);
    const countOpened = () => member.heard.filter(({ kind }) => kind === "opened").length;
    for (const opened of [1, 2]) {
      await expect.poll(countOpened).toBe(opened);
      const since = performance.now();
      await expect.poll(() => performance.now() - since, { interval: 100 }).toBeGreaterThan(1_100);
      relay.cutStreams();
    }
    await expect.poll(countOpened).toBe(3);
    const { id } = await served.engine.install("demo-media", {});
    await served.engine.settled(id);
    await expect.poll(() => member.seqs().at(-1)).toBe(served.engine.lastSeq());
    expect(new Set(member.states())).toEqual(new Set(["connecting", "live"]));
    relay.goAway();
    await expect.poll(member.states, { timeout: 1_000 }).toContain("lost");
    member.leave();
  });

  it("is told as lost where it was cut and what comes in its place says nothing", async () => {
    const relay = await startPageRelay(served.server.url);
    onTestFinished(() => relay.close());
    const member = join(new StreamHub(), `${relay.url}/api/events`);
    await expect.poll(member.states).toContain("live");
    const since = performance.now();
    await expect.poll(() => performance.now() - since, { interval: 100 }).toBeGreaterThan(1_100);
    relay.holdsBack = true;
    relay.cutStreams();
    await expect.poll(member.states, { timeout: 10_000 }).toContain("lost");
    member.leave();
  });
});
