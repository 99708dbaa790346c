/** A child that was taken over may say anything: the run ends for a reason, soon, and nothing else of the engine notices. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fuzz } from "../../support/fuzz.ts";
import { watchHeld } from "../../support/held-thread.ts";
import { SLOWNESS } from "../../support/slowness.ts";
import { runChild } from "./hostile-runs.ts";

/** Most ms of CPU at a stretch: 50 on an idle machine, with room for one that shares its cores. */
const HELD_MS = 150 * SLOWNESS;
const REASONS = /^(sandbox_crash|quota_[a-z]+|timeout_wall|timeout_cpu|memory)$/;

async function survive(onDelivery: string) {
  const { outcome, calls, tookMs } = await runChild(`performance.now(); ${onDelivery}`, { wallMs: 2_500 });
  return { outcome, calls, tookMs };
}

/** The longest the thread was held while a child of this kind was heard, in ms of its CPU. */
async function heldMs(onDelivery: string): Promise<number> {
  const held = watchHeld();
  const begun = { call: async () => null, log: () => held.start() };
  const { outcome } = await runChild(`out({ op: "log", line: "begins" }); ${onDelivery}`, {
    scriptHost: begun,
    wallMs: 10_000,
  });
  expect(outcome.status).toBe("failed");
  return held.stop();
}

describe("a message that is refused costs little", () => {
  const BIG: readonly (readonly [string, string])[] = [
    [
      "a list of wrong headers",
      `out({ op: "fetch", id: 1, method: "GET", url: "http://x/", redirect: "follow", hasBody: false, headers: Array(N).fill(1) })`,
    ],
    [
      "a list of wrong checkpoints",
      `out({ op: "context", id: 1, call: { kind: "registerCheckpoints", checkpoints: Array(N).fill(1) } })`,
    ],
    [
      "a list of wrong details",
      `out({ op: "done", outcome: { status: "failed", reason: "script_error", message: "", context: Array(N).fill({}) } })`,
    ],
    [
      "wrong parameters of a query",
      `send({ t: "ask", header: JSON.stringify({ op: "sqlite.query", db: 1, sql: "", params: Array(N).fill([]) }) })`,
    ],
    [
      "a query with a million names",
      `send({ t: "ask", header: '{"op":"sqlite.query","db":1,"sql":"","params":{' + Array.from({ length: N }, (_, i) => '"' + i + '":[]').join() + "}}" })`,
    ],
    [
      "arrays in arrays",
      `send({ t: "out", header: '{"op":"fetch","headers":' + "[".repeat(N) + "]".repeat(N) + "}" })`,
    ],
    ["arrays in arrays as its own header", `send("[".repeat(2 * N))`],
  ];
  test.each(BIG)("%s", async (_name, code) => {
    for (const size of [40_000, 240_000])
      expect(await heldMs(code.replaceAll("N", String(size)))).toBeLessThan(HELD_MS);
  });
});

/** JSON near to what is understood: operations with members that are absent, strange or many. */
const operation = fc.record(
  {
    op: fc.constantFrom("fetch", "fetch.abort", "timer", "timer.clear", "waitForApp", "context", "log", "done", "exec"),
    id: fc.oneof(fc.integer(), fc.double(), fc.string(), fc.constant(null)),
    ms: fc.oneof(fc.double({ noNaN: true }), fc.string()),
    url: fc.oneof(fc.webUrl(), fc.string()),
    method: fc.string(),
    headers: fc.oneof(fc.array(fc.array(fc.string())), fc.jsonValue()),
    redirect: fc.constantFrom("follow", "manual", "never"),
    hasBody: fc.boolean(),
    attempts: fc.double({ noNaN: true }),
    line: fc.string(),
    call: fc.oneof(
      fc.record({
        kind: fc.constantFrom("registerCheckpoints", "emitCheckpoint", "setProgress", "awaitCheckpointRetry", "exec"),
        id: fc.string(),
        percent: fc.double({ noNaN: true }),
        checkpoints: fc.jsonValue(),
      }),
      fc.jsonValue(),
    ),
    outcome: fc.jsonValue(),
  },
  { requiredKeys: ["op"] },
);
const message = fc.oneof(
  operation.map((op) => `out(${JSON.stringify(op)});`),
  fc.jsonValue().map((value) => `send(${JSON.stringify(JSON.stringify(value))});`),
  fc.string().map((text) => `send(${JSON.stringify(text)});`),
  fc.uint8Array({ maxLength: 64 }).map((bytes) => `raw(Buffer.from(${JSON.stringify([...bytes])}));`),
  fc.constant(`send({ t: "delivered" });`),
);

fuzz("whatever a child sends, the run ends for a reason and in time", 6, () =>
  fc.asyncProperty(fc.array(message, { minLength: 1, maxLength: 8 }), async (messages) => {
    const { outcome, tookMs } = await survive(`${messages.join("\n")} send("{");`);
    if (outcome.status === "failed") expect(outcome.reason).toMatch(REASONS);
    expect(tookMs).toBeLessThan(15_000 * SLOWNESS);
  }),
);
