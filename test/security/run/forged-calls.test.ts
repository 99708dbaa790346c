/** Neither a script nor a child that was taken over makes the engine act on what an honest guest would not have said. */
import { getActiveResourcesInfo } from "node:process";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSandbox } from "../../../sandbox/sandbox.ts";
import { createScriptIo } from "../../../src/adapters/script-io/script-io.ts";
import { runChild, runScript, startUnready } from "./hostile-runs.ts";

const sandbox = createSandbox({ scriptIo: createScriptIo({ loopback: true }) });
let app: Awaited<ReturnType<typeof startUnready>>;

beforeAll(async () => {
  app = await startUnready();
});
afterAll(async () => {
  await sandbox.close();
  await app.close();
});

/** What a script does to the language before it calls. */
const POLLUTIONS: readonly (readonly [string, string])[] = [
  [
    "Object.prototype.toJSON",
    `Object.prototype.toJSON = function () { return this.op === "context" ? { op: "context", id: this.id, call: { kind: "emitCheckpoint", id: "forged" } } : this; };`,
  ],
  [
    "toJSON of everything that has a prototype",
    `for (const each of [Object, Array, String, Number, Boolean, BigInt, Function]) each.prototype.toJSON = () => "forged";`,
  ],
  [
    "accessors for op, id, call and kind",
    `for (const key of ["op", "id", "call", "kind", "hasBody"]) Object.defineProperty(Object.prototype, key, { get: () => "forged", set: () => {}, configurable: true });`,
  ],
  [
    "answers of its own",
    `for (const key of ["start", "error", "ok", "code", "refused"]) Object.defineProperty(Object.prototype, key, { value: { name: "forged" }, configurable: true });`,
  ],
  [
    "functions of the language",
    `JSON.stringify = () => '{"op":"context","id":1,"call":{"kind":"setProgress","percent":66}}';
     Array.prototype[Symbol.iterator] = function* () { yield "forged"; };
     Array.prototype.map = Array.prototype.slice = () => ["forged"]; String.prototype.slice = () => "forged";
     Object.keys = Reflect.ownKeys = () => ["forged"]; Array.isArray = () => false;`,
  ],
  [
    "promises",
    `Promise.prototype.then = () => { throw new Error("forged"); };
     Object.defineProperty(Promise.prototype, "constructor", { get: () => { throw new Error("forged"); } });`,
  ],
];

describe("what a script's calls say is beyond its reach", () => {
  test.each(POLLUTIONS)("by %s", async (_name, code) => {
    const { outcome, calls } = await runScript(
      sandbox,
      `${code}
       const first = ctx.emitCheckpoint("honest", "told"); const second = ctx.setProgress(7);
       first.catch?.(() => {}); second.catch?.(() => {}); return 1;`,
    );
    expect(calls).toEqual([
      { kind: "emitCheckpoint", id: "honest", message: "told" },
      { kind: "setProgress", percent: 7 },
    ]);
    expect(outcome, JSON.stringify(outcome)).not.toMatchObject({ reason: "sandbox_crash" });
    expect(outcome, JSON.stringify(outcome)).not.toMatchObject({ reason: "timeout_wall" });
  });

  test("nor by calling out while a call is being written", async () => {
    const { outcome, calls } = await runScript(
      sandbox,
      `let once = true;
       Array.prototype.slice = function () { return [{ id: "a", get message() { if (once) { once = false; ctx.setProgress(1); } return "m"; } }]; };
       await ctx.registerCheckpoints(["a"]).catch(() => {});
       await ctx.setProgress(2);`,
    );
    expect(outcome).toMatchObject({ status: "completed" });
    expect(calls.at(-1)).toEqual({ kind: "setProgress", percent: 2 });
  });
});

describe("a child that was taken over", () => {
  const WAIT = `{ op: "waitForApp", url: "http://127.0.0.1:9/", method: "GET", headers: [], attempts: 1e9, timeoutMs: 1e9, initialDelayMs: 0, maxDelayMs: 0 }`;

  test.each([
    ["repeats an id", `out({ op: "timer", id: 1, ms: 1e6 }); out({ op: "timer", id: 1, ms: 1e6 });`],
    ["goes back to an id", `out({ op: "timer", id: 5, ms: 1e6 }); out({ ...${WAIT}, id: 4 });`],
    ["stops what it never called", `out({ op: "timer.clear", id: 1 });`],
    ["names a checkpoint of no characters", `out({ op: "context", id: 1, call: { kind: "emitCheckpoint", id: "" } });`],
    [
      "names a checkpoint of 65 characters",
      `out({ op: "context", id: 1, call: { kind: "emitCheckpoint", id: "x".repeat(65) } });`,
    ],
  ])("that %s has broken the protocol", async (_name, onDelivery) => {
    const { outcome, calls } = await runChild(onDelivery);
    expect(outcome).toMatchObject({ status: "failed", reason: "sandbox_crash" });
    expect(calls).toEqual([]);
  });
});

describe("whatever a run started ends with it", () => {
  const given = () => ({
    context: { resourceId: "app", event: "userAction", inputs: {}, baseUrl: `http://127.0.0.1:${app.port}` },
    network: { lanIp: "127.0.0.1", lanPorts: async () => [app.port], internet: false, readOnly: false },
  });

  test("polls, timers and requests nobody waits for", async () => {
    await runScript(sandbox, "return 1;", given());
    const timersOf = () => getActiveResourcesInfo().filter((name) => name === "Timeout").length;
    const before = timersOf();
    for (const end of ["return 1;", "throw new Error('x');", "await new Promise(() => {});"]) {
      await runScript(
        sandbox,
        `for (let i = 0; i < 20; i++) ctx.waitForApp("/", { retries: 1e9, timeout: 1e9, initialDelayMs: 0, maxDelayMs: 0 }).catch(() => {});
         for (let i = 0; i < 20; i++) { ctx.sleep(1e8).catch(() => {}); fetch(ctx.baseUrl).catch(() => {}); }
         await ctx.sleep(100); ${end}`,
        { ...given(), wallMs: 1_500 },
      );
    }
    const requests = app.requests();
    expect(requests).toBeGreaterThan(0);
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(app.requests()).toBe(requests);
    // the sandbox keeps a few of its own: a warm child's, a connection pool's
    expect(timersOf() - before).toBeLessThan(8);
  });

  test("a poll without pauses asks no more than 20 times a second", async () => {
    const before = app.requests();
    const { outcome } = await runScript(
      sandbox,
      `await ctx.waitForApp("/", { retries: 1e9, timeout: 1e9, initialDelayMs: 0, maxDelayMs: 0 });`,
      { ...given(), wallMs: 2_000 },
    );
    expect(outcome).toMatchObject({ reason: "timeout_wall" });
    expect(app.requests() - before).toBeGreaterThan(0);
    expect(app.requests() - before).toBeLessThanOrEqual(42);
  });
});

describe("a checkpoint's id", () => {
  test.each([
    ["empty", `""`],
    ["of 65 characters", `"x".repeat(65)`],
    ["that is a number", "7"],
    ["that is absent", "undefined"],
  ])("%s is the script's error, at its line", async (_name, id) => {
    for (const method of ["emitCheckpoint", "skipCheckpoint", "updateCheckpointMessage", "awaitCheckpointRetry"]) {
      const { outcome, calls } = await runScript(sandbox, `await ctx.${method}(${id}, "text");`);
      expect(outcome).toMatchObject({ status: "failed", reason: "script_error" });
      expect(outcome.status === "failed" && outcome.message).toMatch(/a checkpoint's id must/);
      expect(outcome.status === "failed" && outcome.stack).toContain("app.json#hook:2:");
      expect(calls).toEqual([]);
    }
  });
});
