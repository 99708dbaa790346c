import { describe, expect, test } from "vitest";
import type { LoggedRow } from "../../../src/engine/ports/store-rows.ts";
import { WatchHub } from "../../../src/engine/runtime/watch-hub.ts";

function entry(seq: number): LoggedRow {
  const task: LoggedRow["task"] = {
    id: "t",
    kind: "install",
    appId: "shop",
    label: "shop",
    title: "shop",
    state: "RUNNING",
    checkpoints: [],
    steps: [],
    commands: [],
    progress: 0,
    marks: [],
    remarks: [],
    revision: 1,
    created: "2026-01-01T00:00:00.000Z",
    updated: "2026-01-01T00:00:00.000Z",
  };
  return { seq, at: 0, root: "t", taskId: "t", rev: seq, type: "task.updated", event: { type: "x" }, digest: "", task };
}

function setUp(stored: number) {
  const log = Array.from({ length: stored }, (_, index) => entry(index + 1));
  let reads = 0;
  const hub = new WatchHub({
    lastSeq: () => log.length,
    logAfter(fromSeq, limit) {
      reads += 1;
      return log.filter(({ seq }) => seq > fromSeq).slice(0, limit);
    },
  });
  return {
    hub,
    reads: () => reads,
    publish(count: number) {
      const added = Array.from({ length: count }, () => {
        log.push(entry(log.length + 1));
        return log.at(-1) ?? entry(0);
      });
      hub.publish(added);
    },
  };
}

async function take(events: AsyncIterator<{ readonly seq: number }>, count: number): Promise<number[]> {
  const seen: number[] = [];
  while (seen.length < count) {
    const next = await events.next();
    if (next.done) break;
    seen.push(next.value.seq);
  }
  return seen;
}

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe("watch", () => {
  test("replays from any number on and goes on live without a gap", async () => {
    const { hub, publish } = setUp(600);
    const events = hub.watch(100)[Symbol.asyncIterator]();
    expect(await take(events, 300)).toEqual(range(101, 400));
    publish(50);
    expect(await take(events, 250)).toEqual(range(401, 650));
    const live = take(events, 3);
    publish(2);
    publish(1);
    expect(await live).toEqual(range(651, 653));
  });

  test("serves a watcher that fell behind the shared entries from the store", async () => {
    const { hub, publish } = setUp(0);
    const slow = hub.watch(0)[Symbol.asyncIterator]();
    publish(1);
    expect(await take(slow, 1)).toEqual([1]);
    for (let round = 0; round < 100; round += 1) publish(50);
    expect(await take(slow, 5_000)).toEqual(range(2, 5_001));
  });

  test("reads nothing from the store for watchers that keep up", async () => {
    const { hub, publish, reads } = setUp(10);
    const watchers = Array.from({ length: 100 }, () => hub.watch(10)[Symbol.asyncIterator]());
    const first = watchers.map((events) => take(events, 1));
    const before = reads();
    publish(1);
    expect(await Promise.all(first)).toEqual(watchers.map(() => [11]));
    const second = watchers.map((events) => take(events, 5));
    publish(5);
    expect(await Promise.all(second)).toEqual(watchers.map(() => range(12, 16)));
    expect(reads()).toBe(before);
  });

  test("says how far the slowest watcher is behind", async () => {
    const { hub } = setUp(600);
    expect(hub.load()).toEqual({ watchers: 0, lag: 0 });
    const slow = hub.watch(100)[Symbol.asyncIterator]();
    const quick = hub.watch(600)[Symbol.asyncIterator]();
    const waits = take(quick, 1);
    // An event is told once the next one is asked for.
    expect(await take(slow, 11)).toEqual(range(101, 111));
    expect(hub.load()).toEqual({ watchers: 2, lag: 490 });
    await slow.return(undefined);
    expect(hub.load()).toEqual({ watchers: 1, lag: 0 });
    hub.close();
    expect(await waits).toEqual([]);
    expect(hub.load()).toEqual({ watchers: 0, lag: 0 });
  });

  test("ends on abort, also while it waits, and on close", async () => {
    const { hub, publish } = setUp(1);
    const abort = new AbortController();
    const aborted = take(hub.watch(0, abort.signal)[Symbol.asyncIterator](), 9);
    const closed = take(hub.watch(0)[Symbol.asyncIterator](), 9);
    publish(1);
    await Promise.resolve();
    abort.abort();
    expect((await aborted).length).toBeLessThanOrEqual(2);
    hub.close();
    expect(await closed).toEqual([1, 2]);
    expect(await take(hub.watch(0, AbortSignal.abort())[Symbol.asyncIterator](), 1)).toEqual([]);
  });
});
