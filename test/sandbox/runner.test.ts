import { createServer, type Server } from "node:http";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type {
  AuditRecord,
  ContextCall,
  Run,
  RunOutcome,
  RunRequest,
  Sandbox,
  ScriptHost,
} from "../../sandbox/contract.ts";
import { createSandbox } from "../../sandbox/sandbox.ts";
import { createScriptIo } from "../../src/adapters/script-io/script-io.ts";
import type { Json } from "../../src/core/json/json.ts";

let server: Server;
let port: number;
let ready = 0;
let sandbox: Sandbox;
let calls: ContextCall[];
let lines: string[];

beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url === "/starting") response.statusCode = ready++ < 2 ? 503 : 200;
    response.end("ok");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  port = address.port;
  sandbox = createSandbox({
    allowWeakSandbox: true,
    scriptIo: createScriptIo({ loopback: true }),
    concurrency: { hook: 2, widget: 1 },
    now: () => 1_000_000_000_000,
  });
});

afterAll(async () => {
  await sandbox.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

beforeEach(() => {
  calls = [];
  lines = [];
  ready = 0;
});

let running: Run[] = [];
afterEach(async () => {
  for (const run of running) run.stop();
  await Promise.all(running.map(({ outcome }) => outcome));
  running = [];
});

async function start(body: string, more: Partial<RunRequest> = {}, scriptHost: Partial<ScriptHost> = {}): Promise<Run> {
  const content = body.includes("export ") ? body : `export async function run(ctx) { ${body} }`;
  const source = { kind: "inline", content } as const;
  const compiled = await sandbox.compile({ app: "app", root: null, source, entrypoint: "run", label: "app.json#hook" });
  if (!compiled.ok) throw new Error(compiled.problems[0]?.message);
  const run = sandbox.run(
    {
      runId: "run",
      kind: "hook",
      script: compiled.script,
      entrypoint: "run",
      context: { resourceId: "app", event: "userAction", inputs: {}, baseUrl: `http://127.0.0.1:${port}` },
      secrets: [],
      wallMs: 10_000,
      network: { lanIp: "127.0.0.1", lanPorts: async () => [port], internet: false, readOnly: false },
      mounts: [],
      seed: "seed",
      ...more,
    },
    {
      call: async (call) => {
        calls.push(call);
        return null;
      },
      log: (line) => lines.push(line),
      audit: () => {},
      ...scriptHost,
    },
  );
  running.push(run);
  return run;
}

async function runToEnd(...given: Parameters<typeof start>): Promise<RunOutcome> {
  return (await start(...given)).outcome;
}

describe("context methods", () => {
  test("reach the engine in the order the script called them, awaited or not, and all before the outcome", async () => {
    const slow: string[] = [];
    const outcome = await runToEnd(
      "ctx.registerCheckpoints([{ id: 'a', message: 'A' }]); await ctx.emitCheckpoint('a'); ctx.setProgress(50); ctx.skipCheckpoint('b', 'none');",
      {},
      {
        call: async (call) => {
          calls.push(call);
          await new Promise((resolve) => setTimeout(resolve, 20));
          slow.push(call.kind);
          return null;
        },
      },
    );
    expect(outcome.status, JSON.stringify(outcome)).toBe("completed");
    expect(calls.map(({ kind }) => kind)).toEqual([
      "registerCheckpoints",
      "emitCheckpoint",
      "setProgress",
      "skipCheckpoint",
    ]);
    expect(slow).toHaveLength(4);
  });

  test("throw in the script what the engine rejects with", async () => {
    const outcome = await runToEnd(
      "await ctx.setProgress(1);",
      {},
      { call: () => Promise.reject(new Error("not now")) },
    );
    expect(outcome).toMatchObject({ status: "failed", reason: "script_error", message: "not now" });
  });
});

describe("waiting for a person", () => {
  test("stops the clock: the run outlives its wall limit, and ends by it afterwards", async () => {
    const asked = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<Json>();
    const run = await start(
      "const choice = await ctx.awaitCheckpointRetry('a', 'it failed'); ctx.log(choice); await new Promise(() => {});",
      { wallMs: 400 },
      {
        call: (call) => {
          calls.push(call);
          asked.resolve();
          return answer.promise;
        },
      },
    );
    await asked.promise;
    const before = run.ranMs();
    await new Promise((resolve) => setTimeout(resolve, 800));
    expect(run.ranMs()).toBe(before);
    answer.resolve("retry");
    expect(await run.outcome).toMatchObject({ status: "failed", reason: "timeout_wall" });
    expect(lines).toEqual(["retry"]);
    expect(calls).toMatchObject([{ kind: "awaitCheckpointRetry", id: "a", error: "it failed" }]);
  });

  test("leaves its place to others, and a run stopped meanwhile gives it back once", async () => {
    const waits = await Promise.all(
      [1, 2].map(async () => {
        const asked = Promise.withResolvers<void>();
        const call = () => {
          asked.resolve();
          return new Promise<Json>(() => {});
        };
        const run = await start("await ctx.awaitCheckpointRetry('a', 'x');", {}, { call });
        await asked.promise;
        return run;
      }),
    );
    expect((await runToEnd("return 1;")).status).toBe("completed");
    for (const run of waits) run.stop();
    await Promise.all(waits.map(({ outcome }) => outcome));
    const order: number[] = [];
    await Promise.all(
      [1, 2, 3].map(async (n) => {
        await runToEnd("await ctx.sleep(50);");
        order.push(n);
      }),
    );
    expect(order).toHaveLength(3);
  });
});

describe("secrets", () => {
  test("are masked by value in logs, checkpoints, errors, their context and stack", async () => {
    const outcome = await runToEnd(
      "ctx.log('it is hunter2-secret'); console.log({ a: 'hunter2-secret' }); ctx.emitCheckpoint('a', 'with hunter2-secret'); ctx.fail('no hunter2-secret', [{ label: 'token', value: 'hunter2-secret' }]);",
      { secrets: ["hunter2-secret"] },
    );
    expect(outcome).toMatchObject({
      status: "failed",
      message: "no ********",
      context: [{ label: "token", value: "********" }],
    });
    expect(JSON.stringify([outcome, lines, calls])).not.toContain("hunter2-secret");
    expect(lines[0]).toBe("it is ********");
  });

  test("are masked in results, in labels, in the ids of checkpoints and in audit records", async () => {
    const audit: AuditRecord[] = [];
    const more = { secrets: ["hunter2-secret"] };
    const scriptHost: Partial<ScriptHost> = { audit: (record) => audit.push(record) };
    const completed = await runToEnd(
      "ctx.emitCheckpoint('hunter2-secret', 'x'); await fetch('http://hunter2-secret.test/').catch(() => {}); return { a: ['is hunter2-secret'], 'hunter2-secret': 1 };",
      more,
      scriptHost,
    );
    expect(completed).toMatchObject({ status: "completed", result: { a: ["is ********"], "********": 1 } });
    const failed = await runToEnd("ctx.fail('x', [{ label: 'hunter2-secret', value: 'y' }]);", more, scriptHost);
    expect(failed).toMatchObject({ context: [{ label: "********", value: "y" }] });
    expect(audit).toHaveLength(1);
    expect(JSON.stringify([completed, failed, calls, audit])).not.toContain("hunter2-secret");
  });
});

describe("an error", () => {
  test("names the author's TypeScript by file, line and column, and shows the line", async () => {
    const outcome = await runToEnd(
      'interface A { readonly a: number }\n\nfunction deep(_: A): never {\n  throw new Error("boom");\n}\n\nexport async function run(ctx: { sleep(ms: number): Promise<void> }) {\n  await ctx.sleep(1);\n  deep({ a: 1 });\n}\n',
    );
    expect(outcome).toMatchObject({ status: "failed", reason: "script_error", message: "boom" });
    const stack = outcome.status === "failed" ? outcome.stack : undefined;
    expect(stack?.split("\n").slice(0, 3)).toEqual(["app.json#hook:4:9", '  throw new Error("boom");', "        ^"]);
    expect(stack).toContain("at deep (app.json#hook:4:9)");
    expect(stack).toContain("at run (app.json#hook:9:3)");
  });
});

describe("waitForApp", () => {
  test("polls until the app answers as expected", async () => {
    const outcome = await runToEnd("return (await ctx.waitForApp('/starting', { initialDelayMs: 5 })).status;");
    expect(outcome).toMatchObject({ status: "completed", result: 200, usage: { fetches: 3 } });
  });

  test("gives up with URL, attempts and the last answer", async () => {
    const outcome = await runToEnd(
      "await ctx.waitForApp('/x?token=1', { retries: 2, expectedStatus: 418, initialDelayMs: 1 });",
    );
    expect(outcome).toMatchObject({ status: "failed", reason: "script_error" });
    expect(outcome).toHaveProperty("message", expect.stringContaining("in 2 attempts; the last: status 200"));
    expect(outcome).not.toHaveProperty("message", expect.stringContaining("token"));
  });
});

describe("time and chance", () => {
  test("come from the parent: the recorded time, and the seed's numbers", async () => {
    const body = "return [Date.now(), Math.random(), Math.random()];";
    const [first, second, third] = [
      await runToEnd(body),
      await runToEnd(body),
      await runToEnd(body, { seed: "other" }),
    ];
    expect(first).toMatchObject({
      status: "completed",
      result: [1_000_000_000_000, expect.any(Number), expect.any(Number)],
    });
    expect(second).toMatchObject({ result: first.status === "completed" ? first.result : null });
    expect(third).not.toMatchObject({ result: first.status === "completed" ? first.result : null });
  });
});

describe("runs", () => {
  test("of a kind go at once up to the limit, and the others wait", async () => {
    let now = 0;
    let most = 0;
    const two = Promise.withResolvers<void>();
    const scriptHost: Partial<ScriptHost> = {
      call: async (call) => {
        if (call.kind !== "setProgress") return null;
        now += call.percent === 0 ? 1 : -1;
        most = Math.max(most, now);
        if (most === 2) two.resolve();
        await two.promise;
        return null;
      },
    };
    const body = "await ctx.setProgress(0); await ctx.sleep(1); await ctx.setProgress(99);";
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => runToEnd(body, {}, scriptHost)));
    expect(outcomes.map(({ status }) => status)).toEqual(Array(5).fill("completed"));
    expect(most).toBe(2);
  });

  test("end as stopped when they are stopped, also while they wait for their turn", async () => {
    const held = [await start("await ctx.sleep(60000);"), await start("await ctx.sleep(60000);")];
    const waiting = await start("return 1;");
    waiting.stop();
    expect(await waiting.outcome).toMatchObject({
      status: "failed",
      reason: "stopped",
      usage: { wallMs: 0, fetches: 0 },
    });
    for (const run of held) run.stop();
    for (const run of held) expect(await run.outcome).toMatchObject({ status: "failed", reason: "stopped" });
  });

  test("go on after a floating rejection, which is logged", async () => {
    const outcome = await runToEnd("Promise.reject(new Error('floating')); await ctx.sleep(1); return 1;");
    expect(outcome).toMatchObject({ status: "completed", result: 1 });
    expect(lines.join()).toContain("floating");
  });
});
