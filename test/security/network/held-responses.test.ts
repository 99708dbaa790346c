/** What a script has not taken is not piled up in the engine: a response waits on its socket, and none for ever. */
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, onTestFinished } from "vitest";
import { HELD, HeldBytes, type ResponseBytes, type RunBytes } from "../../../src/adapters/network-policy/held-bytes.ts";
import { openNetwork } from "../../../src/adapters/network-policy/open-network.ts";
import { it, openWorld } from "../../support/engine/engine-test.ts";
import { hookTask, settledTask } from "../../support/engine/engine-world.ts";
import { type LoopbackServer, startLoopbackServer } from "../../support/host/loopback-server.ts";
import { rawHook } from "../../support/scripts/scripts.ts";

const MB = 1024 * 1024;

describe("a hook", () => {
  it("has every large response it asks for at once, and each that waitForApp has no use for", async () => {
    let refused = 0;
    const app = await startLoopbackServer((request, response) => {
      if (request.url === "/ready") response.statusCode = ++refused <= 4 ? 503 : 200;
      response.end(Buffer.alloc(12 * MB));
    });
    onTestFinished(() => app.close());
    const scriptContent = `export async function run(ctx) {
      await ctx.waitForApp("/ready", { initialDelayMs: 1 });
      const answers = await Promise.all([1, 2, 3, 4, 5, 6].map(async () => (await fetch(ctx.baseUrl)).status));
      ctx.log(answers.join());
    }`;
    const hook = rawHook({ id: "greedy", events: ["onAfterInstall"], rerun: undefined, scriptContent });
    const world = await openWorld({
      catalog: { demo: { app_values: { network: { web_port: app.port } }, hooks: [hook] } },
    });
    const { id } = await world.engine.install("demo");
    const task = await settledTask(world.engine, id);
    expect(world.store.hookLog(hookTask(task, "greedy").id, 1)[0]?.line).toBe("200,200,200,200,200,200");
  });
});

describe("the responses of a run", () => {
  /** A session of a run that may reach this server alone, with what it holds; both are closed after the test. */
  function openSession(app: LoopbackServer) {
    const held = new HeldBytes().openRun();
    const session = openNetwork(
      {
        policy: { lanIp: "127.0.0.1", lanPorts: async () => [app.port], internet: false, readOnly: false },
        loopback: true,
        responseBytes: 16 * MB,
        held,
        audit: () => {},
      },
      { resolve: async () => [], ownAddresses: () => [], ownPorts: () => [] },
    );
    onTestFinished(async () => {
      await session.close();
      await app.close();
    });
    return { held, session };
  }

  async function open(size: number) {
    const app = await startLoopbackServer((_, response) => {
      let left = size;
      const chunk = Buffer.alloc(65_536);
      const more = () => {
        for (let wrote = true; wrote && left > 0 && !response.destroyed; left -= chunk.byteLength) {
          wrote = response.write(chunk);
        }
        if (left <= 0) response.end();
      };
      response.on("drain", more);
      more();
    });
    const { held, session } = openSession(app);
    const get = (signal = new AbortController().signal) =>
      session.fetch({ method: "GET", url: app.url, headers: [], redirect: "follow", body: null }, signal);
    return { held, get };
  }

  it("are read as far as 32 MB and no further, and go on when one is taken", async () => {
    const { held, get } = await open(12 * MB);
    const whole: (() => void)[] = [];
    let ended = 0;
    const answers = Array.from({ length: 8 }, async () => {
      const answer = await get();
      if ("error" in answer) throw new Error(answer.error.message);
      ended++;
      whole.push(() => answer.ok.taken?.());
      return answer.ok.body.byteLength;
    });
    await expect.poll(() => held.waiting === 8 - ended).toBe(true);
    expect(ended).toBeLessThanOrEqual(2);
    expect(held.bytes).toBeLessThanOrEqual(32 * MB);
    let taken = 0;
    while (taken < 8) {
      const next = whole.shift();
      if (next === undefined) await expect.poll(() => whole.length).toBeGreaterThan(0);
      else {
        next();
        taken++;
        expect(held.bytes).toBeLessThanOrEqual(32 * MB);
      }
    }
    expect(await Promise.all(answers)).toEqual(Array.from({ length: 8 }, () => 12 * MB));
    expect(held.bytes).toBe(0);
  });

  it("that are given up while they wait hold nothing", async () => {
    const { held, get } = await open(12 * MB);
    const controller = new AbortController();
    const answers = Array.from({ length: 8 }, () => get(controller.signal));
    await expect.poll(() => held.waiting).toBeGreaterThan(0);
    controller.abort();
    for (const answer of await Promise.all(answers)) if ("ok" in answer) answer.ok.taken?.();
    expect(held.bytes).toBe(0);
  });

  it("that are larger than allowed hold nothing, however small they come over the wire", async () => {
    const bomb = gzipSync(Buffer.alloc(256 * MB));
    const app = await startLoopbackServer((_, response) => response.setHeader("content-encoding", "gzip").end(bomb));
    const { held, session } = openSession(app);
    const request = { method: "GET", url: app.url, headers: [], redirect: "follow", body: null } as const;
    const answer = await session.fetch(request, new AbortController().signal);
    expect(answer).toMatchObject({ error: { code: "quota_response" } });
    expect(held.bytes).toBe(0);
  });
});

describe("the bytes of all runs", () => {
  it("keep their bounds, and go on as long as what is finished is taken", async () => {
    const step = fc.record({ run: fc.nat(5), take: fc.integer({ min: 1, max: 16 * MB }) });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 60 }), async (steps) => {
        const all = new HeldBytes();
        const runs: RunBytes[] = Array.from({ length: 6 }, () => all.openRun());
        const bounded = () => {
          for (const run of runs) expect(run.bytes).toBeLessThanOrEqual(HELD.run);
          const beyond = runs.reduce((sum, { bytes }) => sum + Math.max(0, bytes - HELD.free), 0);
          expect(beyond).toBeLessThanOrEqual(HELD.all);
        };
        const finished: ResponseBytes[] = [];
        const { signal } = new AbortController();
        let open = steps.length;
        for (const { run, take } of steps) {
          const response = runs[run]?.open();
          void (async () => {
            for (let left = take; left > 0; left -= MB) await response?.take(Math.min(MB, left), signal);
            response?.finish();
            if (response !== undefined) finished.push(response);
            open--;
          })();
        }
        while (open > 0 || finished.length > 0) {
          // Every grant runs on before the next response is taken: what is still open then can only wait.
          await new Promise((resolve) => setImmediate(resolve));
          bounded();
          const next = finished.shift();
          expect(next, "somebody waits for ever").toBeDefined();
          next?.release();
        }
        expect(runs.map(({ bytes }) => bytes)).toEqual([0, 0, 0, 0, 0, 0]);
      }),
      { numRuns: 200 },
    );
  });

  it("leave every run its first megabyte, whatever the others hold", async () => {
    const all = new HeldBytes();
    const { signal } = new AbortController();
    for (let hog = 0; hog < 10; hog++) {
      const run = all.openRun();
      const [first, second] = [run.open(), run.open()];
      void first.take(15 * MB, signal);
      void second.take(15 * MB, signal);
    }
    const small = all.openRun().open();
    await small.take(MB, signal);
  });

  it("are given back when a run ends, and those that wait go on", async () => {
    const all = new HeldBytes();
    const { signal } = new AbortController();
    const run = all.openRun();
    const response = run.open();
    await response.take(16 * MB, signal);
    const waiting = run.open().take(16 * MB, signal);
    run.close();
    await waiting;
    expect(run.bytes).toBe(0);
    response.release();
    expect(run.bytes).toBe(0);
  });
});
