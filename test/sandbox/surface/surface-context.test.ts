/** The contexts: methods, their order, failures and what users see of them (docs/decisions.md, section 5). */
import { afterAll, describe, expect, test } from "vitest";
import { WAIT_DEFAULTS } from "../../../sandbox/guest/bridge/wait-for-app.ts";
import { WAIT_GROWTH } from "../../../sandbox/protocol/ops.ts";
import { startApp } from "../app-server.ts";
import { type Row, testRows } from "../table.ts";
import { createWorkbench, resultOf } from "../workbench.ts";

const bench = createWorkbench();
afterAll(() => bench[Symbol.asyncDispose]());

const run = (body: string, request = {}) =>
  bench.run({ code: `export async function run(ctx: any) {\n${body}\n}`, ...request });

describe("members", () => {
  const inputs = { name: "anna", count: 3, empty: "", off: false, nothing: null };
  const context = { resourceId: "app", event: "userAction", inputs, fromVersion: "1.0.0", configPath: "/config" };
  const ROWS: readonly Row[] = [
    [
      "data members are those of the run",
      "return [ctx.resourceType, ctx.resourceId, ctx.event, ctx.fromVersion, ctx.configPath, ctx.toVersion];",
      ["app", "app", "userAction", "1.0.0", "/config", null],
    ],
    [
      "a member can be replaced and added",
      "ctx.resourceId = 'b'; ctx.mine = 1; return [ctx.resourceId, ctx.mine, Object.isExtensible(ctx)];",
      ["b", 1, true],
    ],
    [
      "members are enumerable, so that a context can be spread",
      "const { getInput } = { ...ctx }; return getInput('name');",
      "anna",
    ],
    [
      "getInput answers falsy values",
      "return [ctx.getInput('count'), ctx.getInput('empty'), ctx.getInput('off')];",
      [3, "", false],
    ],
    ["getInput throws for a missing input", "ctx.getInput('nothing');", "throws Error"],
    ["getInput knows no inherited names", "ctx.getInput('toString');", "throws Error"],
    ["a schema that is none is a TypeError", "ctx.getInput('name', {});", "throws TypeError"],
    ["a schema may change the value", "return ctx.getInput('name', { parse: (v) => v.toUpperCase() });", "ANNA"],
    [
      "an asynchronous schema is a TypeError",
      "ctx.getInput('name', { '~standard': { validate: async (value) => ({ value }) } });",
      "throws TypeError",
    ],
    ["a progress that is no number is a TypeError", "await ctx.setProgress('many');", "throws TypeError"],
    [
      "a sleep that is no number is a TypeError",
      "try { await ctx.sleep('long'); } catch (e) { return e.message; }",
      'the time to sleep "long" is not a number',
    ],
    ["a checkpoint without id is a TypeError", "await ctx.registerCheckpoints([{}]);", "throws TypeError"],
    [
      "all but log, fail, getInput are async",
      "return ['registerCheckpoints', 'emitCheckpoint', 'updateCheckpointMessage', 'skipCheckpoint', 'setProgress', 'sleep', 'getInstalledAppUrl', 'awaitCheckpointRetry'].filter((name) => { const p = ctx[name]([], 'a', 1); p.catch(() => {}); return !(p instanceof Promise); });",
      [],
    ],
    ["an unknown app has no address", "return ctx.getInstalledAppUrl('nobody');", null],
  ];
  testRows(bench, ROWS, { context });
});

describe("fail", () => {
  const context = [
    { label: "status", value: "401" },
    { label: "body", value: "{ a: [1] }" },
  ];
  const FAIL = "ctx.fail('No token', [{ label: 'status', value: 401 }, { label: 'body', value: { a: [1] } }]);";

  test.each([
    ["as it is", FAIL],
    ["caught and thrown again", `try { ${FAIL} } catch (error) { throw error; }`],
    ["through an awaited helper", `await (async () => { await ctx.sleep(1); ${FAIL} })();`],
    ["as the first of a Promise.all", `await Promise.all([(async () => { ${FAIL} })(), ctx.sleep(100)]);`],
  ])("%s ends the run with message and context", async (_title, body) => {
    const { outcome } = await run(body);
    expect(outcome).toMatchObject({ status: "failed", reason: "script_error", message: "No token", context });
  });

  test("as the cause of another error keeps its context", async () => {
    const { outcome } = await run(`try { ${FAIL} } catch (cause) { throw new Error("Setup failed", { cause }); }`);
    expect(outcome).toMatchObject({ message: "Setup failed", context });
  });

  test("takes an object as context", async () => {
    const { outcome } = await run("ctx.fail('x', { status: 500 });");
    expect(outcome).toMatchObject({ context: [{ label: "status", value: "500" }] });
  });

  test("its context cannot be forged by a thrown object", async () => {
    const { outcome } = await run("throw { message: 'x', context: [{ label: 'a', value: 'b' }] };");
    expect(outcome).toMatchObject({ message: "x", context: [] });
  });
});

describe("errors name the author's file, line and source line", () => {
  test.each([
    ["a thrown error", "const a = 1;\nthrow new RangeError('out');", "RangeError: out", "inline.ts:3:7"],
    [
      "a method of undefined",
      "const a: any = undefined;\na.b();",
      "TypeError: Cannot read properties of undefined (reading 'b')",
      "inline.ts:3:3",
    ],
    ["a refused request", "await ctx.sleep(1);\nawait fetch('http://127.0.0.1:1/');", null, "inline.ts:3:7"],
    [
      "a missing file",
      "const { readFileSync } = await import('node:fs');\nreadFileSync('/etc/passwd');",
      null,
      "inline.ts:3:1",
    ],
    [
      "a missing input",
      "ctx.getInput('token');",
      'input "token" is missing; collected inputs are none',
      "inline.ts:2:5",
    ],
  ])("%s", async (_title, body, message, place) => {
    const { outcome } = await run(body);
    if (outcome.status === "completed") throw new Error("it completed");
    if (message !== null) expect(outcome.message).toBe(message);
    expect(outcome.stack?.split("\n")[0]).toBe(place);
    expect(outcome.stack?.split("\n")[1]).toBe(body.split("\n")[Number(place.split(":")[1]) - 2]);
    expect(outcome.stack).not.toContain("slipway:");
  });
});

describe("whatever is thrown or returned is read inside the isolate", () => {
  test.each([
    ["a text", "throw 'just text';", "just text"],
    ["nothing", "throw undefined;", "undefined"],
    ["an object without message", "throw { a: 1 };", "{ a: 1 }"],
    ["a getter that throws", "throw { get message() { throw 1; } };", "{ message: [Getter] }"],
    ["a revoked proxy", "const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); throw proxy;", "[unreadable]"],
    ["a long message", "throw new Error('x'.repeat(1e6));", `${"x".repeat(1999)}…`],
    ["a cyclic result", "const a: any = {}; a.a = a; return a;", /^the result cannot be written as JSON/],
    ["a BigInt result", "return { a: 1n };", /^the result cannot be written as JSON/],
    [
      "a toJSON that throws",
      "return { toJSON() { throw new Error('no'); } };",
      "the result cannot be written as JSON: no",
    ],
    [
      "an entrypoint that rejects after a replaced then",
      "Promise.prototype.then = () => { throw 1; }; throw new Error('still');",
      "still",
    ],
    ["a replaced JSON", "JSON.stringify = () => '{}'; throw new Error('kept');", "kept"],
  ])("%s", async (_title, body, message) => {
    const { outcome } = await run(body);
    expect(outcome).toMatchObject({
      status: "failed",
      reason: "script_error",
      message: message instanceof RegExp ? expect.stringMatching(message) : message,
    });
  });

  test("a result past its limit is quota_result", async () => {
    expect((await run("return 'x'.repeat(600_000);")).outcome).toMatchObject({
      status: "failed",
      reason: "quota_result",
    });
  });

  test("undefined members of a result are dropped, no result is null", async () => {
    expect(resultOf(await run("return { a: undefined, b: { c: undefined }, d: [undefined] };"))).toEqual({
      b: {},
      d: [null],
    });
    expect(resultOf(await run(""))).toBe(null);
  });
});

describe("waitForApp", () => {
  test("waitForApp takes both spellings of its options, and by default any 2xx alone is ready", async () => {
    let asked = 0;
    await using app = await startApp({
      "GET /ready": () => ({ status: [503, 401, 301, 204][asked++] ?? 500 }),
      "POST /teapot": ({ headers }) => ({ status: headers["x-a"] === "b" ? 418 : 400 }),
      "GET /never": () => ({ status: 500 }),
    });
    const body = `
      const fast = { initialDelayMs: 1, maxDelayMs: 2 };
      const ready = await ctx.waitForApp("ready", { maxAttempts: 9, timeoutMs: 1000, ...fast });
      const tea = await ctx.waitForApp("/teapot", { method: "post", expectedStatus: [418], headers: { "X-A": "b" }, retries: 1 });
      const never = await ctx.waitForApp("/never", { retries: 2, timeout: 500, ...fast }).catch((error) => error.message);
      return [ready.status, ready.url.endsWith("/ready"), tea.status, never];`;
    const result = resultOf(await run(body, { app }));
    expect(result).toEqual([204, true, 418, expect.stringContaining("2 attempts")]);
    expect(asked).toBe(4);
  });

  test("waitForApp asks 40 times at most, 5 s each, after pauses from 5 s on that grow by half to 15 s", () => {
    expect(WAIT_DEFAULTS).toEqual({ attempts: 40, timeoutMs: 5_000, initialDelayMs: 5_000, maxDelayMs: 15_000 });
    expect(WAIT_GROWTH).toBe(1.5);
  });

  test("waitForApp fails at once before the app exists, without an address, and for a wrong option", async () => {
    const body = `
      const told = [];
      for (const options of [undefined, { retries: "many" }]) {
        await ctx.waitForApp("/", options).catch((error) => told.push(error.message));
        ctx.baseUrl = "http://127.0.0.1:1";
      }
      return told;`;
    expect(resultOf(await run(body))).toEqual([
      "waitForApp needs the app's baseUrl, which is empty: the app has no port that its hooks may reach",
      "waitForApp: the option retries must be a number of at least 0",
    ]);
    const early = await run('await ctx.waitForApp("/");', {
      context: { event: "onBeforeInstall", baseUrl: "http://127.0.0.1:1" },
    });
    expect(early.outcome).toMatchObject({ message: expect.stringContaining("onBeforeInstall") });
  });
});

describe("order and time", () => {
  test("calls that are not awaited leave in the order they were made, requests among them", async () => {
    await using app = await startApp({ "GET /1": () => ({}), "GET /2": () => ({}) });
    const body = `
      ctx.emitCheckpoint("a"); fetch(ctx.baseUrl + "/1"); ctx.setProgress(5); ctx.skipCheckpoint("b");
      await fetch(ctx.baseUrl + "/2"); ctx.updateCheckpointMessage("c", "last");`;
    const { calls } = await run(body, { app });
    expect(calls.map(({ kind }) => kind)).toEqual([
      "emitCheckpoint",
      "setProgress",
      "skipCheckpoint",
      "updateCheckpointMessage",
    ]);
    expect(app.received.map(({ path }) => path).sort()).toEqual(["/1", "/2"]);
  });

  test("time stands still within a turn and moves between turns", async () => {
    const body = `
      const a = [Date.now(), performance.now(), new Date().getTime(), Number(new Date(Date.now()))];
      for (let i = 0; i < 1e5; i++);
      const b = [Date.now(), performance.now()];
      await ctx.sleep(30);
      return { same: a[0] === b[0] && a[1] === b[1] && a[2] === a[0] && a[3] === a[0], moved: Date.now() - a[0] >= 29 };`;
    expect(resultOf(await run(body))).toEqual({ same: true, moved: true });
  });

  test("Math.random is the seed's, crypto is not", async () => {
    const body = "return { random: [Math.random(), Math.random()], uuid: crypto.randomUUID() };";
    const [first, again, other] = (await Promise.all(
      ["s1", "s1", "s2"].map(async (seed) => resultOf(await run(body, { seed }))),
    )) as { random: number[]; uuid: string }[];
    expect(first?.random).toEqual(again?.random);
    expect(first?.random).not.toEqual(other?.random);
    expect(first?.uuid).not.toBe(again?.uuid);
  });

  test("a rejection nobody handles and an error in a timer do not end the run", async () => {
    const body = `
      Promise.reject(new Error("floating"));
      setTimeout(() => { throw new Error("in a timer"); }, 1);
      await ctx.sleep(20);
      return "to the end";`;
    const ran = await run(body);
    expect(resultOf(ran)).toBe("to the end");
    expect(ran.log).toContain("Uncaught Error: in a timer");
  });
});
