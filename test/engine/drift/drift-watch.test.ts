/** When it is looked for drift: with a clock a test moves, and a host that only counts. */
import { expect, it } from "vitest";
import { buildPairingIndex } from "../../../src/core/hooks/pairings.ts";
import type { EngineHint } from "../../../src/engine/api.ts";
import { DriftWatch } from "../../../src/engine/drift/drift-watch.ts";
import { HostError } from "../../../src/engine/host-error.ts";
import { SILENT_LOGGER } from "../../../src/engine/system/silent-logger.ts";
import { faultOf } from "../../support/engine/scripted-world.ts";
import { createTestClock } from "../../support/test-clock.ts";

const HOUR = 3_600_000;
const SETTLE = 30_000;

function open(driftEvery = HOUR) {
  const clock = createTestClock();
  const told: EngineHint["type"][] = [];
  const asked: { answer: () => void; refuse: (error: Error) => void }[] = [];
  const never = async (): Promise<never> => {
    throw new Error("no app is kept, so nothing of one is asked");
  };
  const watch = new DriftWatch({
    host: {
      apps: () => new Promise((resolve, reject) => asked.push({ answer: () => resolve([]), refuse: reject })),
      appConfig: never,
      stat: never,
      shares: never,
      user: never,
      group: never,
      dataset: never,
      datasetOf: never,
    },
    store: {
      setting: () => null,
      keepSettings: () => {},
      task: () => null,
      plan: () => null,
      runs: () => [],
      holder: () => null,
      lastSeq: () => 0,
      logAfter: () => [],
    },
    view: () => ({ apps: new Map(), hidden: new Set(), index: buildPairingIndex([]) }),
    clock,
    logger: SILENT_LOGGER,
    timing: { driftEvery, driftSettle: SETTLE },
    hints: { tell: ({ type }) => void told.push(type) },
    changes: async function* () {},
  });
  /** Has the look under way end, and waits for what follows it. */
  const end = async (how: "answer" | "refuse" = "answer") => {
    if (how === "answer") asked.at(-1)?.answer();
    else asked.at(-1)?.refuse(new HostError(faultOf("HOST_UNREACHABLE", "nobody there"), "no"));
    // nothing but promises stands between the answer and what follows it
    await new Promise(setImmediate);
    return watch.read();
  };
  return { clock, watch, told, asked, end };
}

it("looks a moment after a start, once for all that happens until then, and again after an hour", async () => {
  const { clock, watch, asked, end } = open();
  watch.start();
  clock.advance(SETTLE - 1);
  watch.lookSoon();
  expect(asked).toHaveLength(0);
  clock.advance(1);
  expect(asked).toHaveLength(1);
  await end();
  clock.advance(HOUR - 1);
  expect(asked).toHaveLength(1);
  clock.advance(1);
  expect(asked).toHaveLength(2);
  await end();
  watch.lookSoon();
  clock.advance(SETTLE);
  expect(asked).toHaveLength(3);
  await end();
  watch.close();
});

it("looks at most every five minutes for changes of apps, and for all else as soon as ever", async () => {
  const { clock, watch, asked, end } = open();
  watch.start();
  clock.advance(SETTLE);
  await end();
  watch.lookAfterChange();
  clock.advance(299_999);
  watch.lookAfterChange();
  expect(asked).toHaveLength(1);
  clock.advance(1);
  expect(asked).toHaveLength(2);
  await end();
  watch.lookAfterChange();
  watch.lookSoon();
  clock.advance(SETTLE);
  expect(asked).toHaveLength(3);
  await end();
  watch.close();
});

it("looks less and less for an app that changes all the time, until nothing has changed for a while", async () => {
  const { clock, watch, asked, end } = open();
  watch.start();
  clock.advance(SETTLE);
  await end();
  const MINUTE = 60_000;
  const change = async (minutes: number) => {
    const before = asked.length;
    watch.lookAfterChange();
    clock.advance(minutes * MINUTE - 1);
    watch.lookAfterChange();
    expect(asked).toHaveLength(before);
    clock.advance(1);
    expect(asked).toHaveLength(before + 1);
    await end();
  };
  for (const minutes of [5, 10, 20, 40, 60, 60]) await change(minutes);
  clock.advance(HOUR);
  await end();
  await change(5);
  watch.close();
});

it("looks again after a minute where the host is away, says so, and forgets nothing it knew", async () => {
  const { clock, watch, told, asked, end } = open();
  watch.start();
  clock.advance(SETTLE);
  const first = await end();
  expect(first).toMatchObject({ findings: [], lookedAt: new Date(clock.now()).toISOString() });
  clock.advance(HOUR);
  expect(await end("refuse")).toEqual({
    ...first,
    failed: { at: new Date(clock.now()).toISOString(), code: "HOST_UNREACHABLE", hint: expect.any(String) },
  });
  clock.advance(60_000);
  expect(asked).toHaveLength(3);
  expect(await end()).not.toHaveProperty("failed");
  expect(told).toEqual(["drift.changed", "drift.changed"]);
  watch.close();
});

it("asks anew for all who ask during a look, once: what that one was told may be of before", async () => {
  const { watch, asked, end } = open();
  const [first, second, third] = [watch.look(), watch.look(), watch.look()];
  expect(asked).toHaveLength(1);
  await end();
  await first;
  expect(asked).toHaveLength(2);
  await end();
  await Promise.all([second, third]);
  expect(asked).toHaveLength(2);
});

it("ends with the engine, in the middle of a look and between two", async () => {
  const { clock, watch, told, asked } = open();
  watch.start();
  clock.advance(SETTLE);
  const under = watch.look();
  watch.close();
  asked[0]?.answer();
  expect(await under).toMatchObject({ lookedAt: null });
  clock.advance(2 * HOUR);
  expect([asked.length, told]).toEqual([1, []]);
  expect(clock.sleeping()).toBe(0);
});

it("looks only when asked where the interval is 0", async () => {
  const { clock, watch, asked, end } = open(0);
  watch.start();
  watch.lookSoon();
  clock.advance(2 * HOUR);
  expect(asked).toHaveLength(0);
  void watch.look();
  expect(await end()).toMatchObject({ findings: [] });
  expect(clock.sleeping()).toBe(0);
});
