import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { EngineHint } from "../../../src/engine/api.ts";
import { HINT_PAUSE_MS, HintHub } from "../../../src/engine/hints/hint-hub.ts";
import { addHint, createCatalogHint, HINT_LIMIT, type WaitingHints } from "../../../src/engine/hints/waiting-hints.ts";
import { createTestClock } from "../../support/test-clock.ts";

const app = (appId: string): EngineHint => ({ type: "app.changed", appId });
const catalog = (changed: readonly string[]) => createCatalogHint({ added: [], changed, removed: [] });

/** A watcher that has begun; `take` answers the next hint. */
function watch(hub: HintHub, signal?: AbortSignal) {
  const hints = hub.watch(signal);
  let next = hints.next();
  return {
    take: async () => {
      const { value } = await next;
      next = hints.next();
      return value;
    },
    ended: async () => (await next).done,
  };
}

describe("hints", () => {
  it("hints are told once for each thing in a pause, to everybody who watches", async () => {
    const clock = createTestClock();
    const hub = new HintHub(clock);
    const watchers = [watch(hub), watch(hub)];
    for (const appId of ["a", "b", "a", "a"]) hub.tell(app(appId));
    clock.advance(HINT_PAUSE_MS);
    hub.tell(app("a"));
    hub.tell({ type: "dashboard.changed" });
    for (const { take } of watchers) expect([await take(), await take()]).toEqual([app("a"), app("b")]);
    clock.advance(HINT_PAUSE_MS);
    for (const { take } of watchers)
      expect([await take(), await take()]).toEqual([app("a"), { type: "dashboard.changed" }]);
  });

  it("are not kept: who comes later gets none, and where nobody watches no time is asked for", async () => {
    const clock = createTestClock();
    const seen: boolean[] = [];
    const hub = new HintHub(clock, (isWatched) => seen.push(isWatched));
    hub.tell(app("a"));
    expect(clock.sleeping()).toBe(0);
    const gone = new AbortController();
    const [first, second] = [watch(hub), watch(hub, gone.signal)];
    hub.tell(app("b"));
    clock.advance(HINT_PAUSE_MS);
    expect([await first.take(), await second.take()]).toEqual([app("b"), app("b")]);
    gone.abort();
    expect([await second.ended(), seen]).toEqual([true, [true]]);
    hub.close();
    expect([await first.ended(), await watch(hub).ended()]).toEqual([true, true]);
  });

  it("say when the last watcher has gone", async () => {
    const seen: boolean[] = [];
    const hub = new HintHub(createTestClock(), (isWatched) => seen.push(isWatched));
    const gone = new AbortController();
    const { ended } = watch(hub, gone.signal);
    gone.abort();
    expect([await ended(), seen]).toEqual([true, [true, false]]);
  });

  it("of a watcher that is slow are bounded: it is told that some are lost, and the others are told theirs", async () => {
    const clock = createTestClock();
    const hub = new HintHub(clock);
    const [slow, quick] = [watch(hub), watch(hub)];
    hub.tell(app("first"));
    clock.advance(HINT_PAUSE_MS);
    expect(await quick.take()).toEqual(app("first"));
    for (let round = 0; round < 3; round += 1) {
      for (let at = 0; at < 100; at += 1) hub.tell(app(`app-${round}-${at}`));
      clock.advance(HINT_PAUSE_MS);
      for (let at = 0; at < 100; at += 1) expect(await quick.take()).toEqual(app(`app-${round}-${at}`));
    }
    // The first one was handed over before it fell behind.
    expect([await slow.take(), await slow.take()]).toEqual([app("first"), { type: "hints.lost" }]);
  });

  it("of the catalog are joined, with at most a hundred ids of each kind", () => {
    const ids = (from: number, count: number) => Array.from({ length: count }, (_, at) => `app-${from + at}`);
    const waiting: WaitingHints = new Map();
    addHint(waiting, catalog(ids(0, 60)));
    addHint(waiting, catalog(ids(30, 50)));
    expect([...waiting.values()]).toEqual([catalog(ids(0, 80))]);
    addHint(waiting, catalog(ids(70, 60)));
    expect([...waiting.values()]).toEqual([{ ...catalog(ids(0, 100)), whole: false }]);
    addHint(waiting, catalog(["app-1"]));
    expect([...waiting.values()]).toMatchObject([{ whole: false }]);
  });

  it("that wait are each about another thing, and bounded, whatever is told", () => {
    const id = fc.integer({ min: 0, max: 400 }).map((n) => `id-${n}`);
    const hint: fc.Arbitrary<EngineHint> = fc.oneof(
      id.map(app),
      fc.record({ type: fc.constant("widget.changed" as const), appId: id, widgetId: id }),
      fc.array(id, { maxLength: 150 }).map(catalog),
      id.map((read) => ({ type: "notification.read" as const, id: read })),
      fc.constantFrom<EngineHint>({ type: "notification.read" }, { type: "dashboard.changed" }),
    );
    fc.assert(
      fc.property(fc.array(hint, { maxLength: 600 }), (told) => {
        const waiting: WaitingHints = new Map();
        for (const one of told) addHint(waiting, one);
        const left = [...waiting.values()];
        expect(left.length).toBeLessThanOrEqual(HINT_LIMIT);
        const subjects = new Set(told.map((one) => JSON.stringify(one.type === "catalog.changed" ? one.type : one)));
        if (left.some(({ type }) => type === "hints.lost")) expect(subjects.size).toBeGreaterThan(HINT_LIMIT);
        else expect(left).toHaveLength(subjects.size);
      }),
    );
  });
});
