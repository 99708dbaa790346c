/**
 * The sandbox: start, bridged calls, requests, memory, many hooks at once, bundling. The attack table is
 * a bench of its own, sandbox-attacks.ts.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { fetch } from "undici";
import { createCompiler } from "../../sandbox/compile/bundle.ts";
import { stopEsbuild } from "../../sandbox/compile/bundle-service.ts";
import type { CompiledScript, Run, RunOutcome, Sandbox, ScriptHost, ScriptIo } from "../../sandbox/contract.ts";
import { createSandbox } from "../../sandbox/sandbox.ts";
import { createScriptIo } from "../../src/adapters/script-io/script-io.ts";
import { computeMedian, createRow, type Measured, measureInterleaved, measureMs, printTable } from "./measure.ts";

const BLOCKS = Number(process.argv[2] ?? 25);
const KB = 1024;
const CALLS = 1_000;
const HOOKS_AT_ONCE = 50;
const SCRIPT_KB = 14;
/** Longer than a new warm child takes. */
const SPARE_MS = 250;

async function benchSpeed(): Promise<Measured[]> {
  const server = createServer((request, response) => response.end(Buffer.alloc(Number(request.url?.slice(1)))));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  const base = `http://127.0.0.1:${address.port}`;
  const sandbox = createSandbox({ allowWeakSandbox: true, scriptIo: createScriptIo({ loopback: true }) });
  const echo = createSandbox({ allowWeakSandbox: true, scriptIo: echoOutside });
  const run = (box: Sandbox, script: CompiledScript, scriptHost: Partial<ScriptHost> = {}) =>
    box.run(
      {
        runId: "bench",
        kind: "hook",
        script,
        entrypoint: "run",
        context: { resourceId: "app", event: "userAction", inputs: {}, baseUrl: base },
        secrets: [],
        wallMs: 60_000,
        network: { lanIp: "127.0.0.1", lanPorts: async () => [address.port], internet: false, readOnly: false },
        mounts: [],
        seed: "bench",
      },
      { call: async () => null, log: () => {}, audit: () => {}, ...scriptHost },
    );

  const first = await compile("ctx.log('first'); await ctx.sleep(60000);");
  const startToFirstLine = async (): Promise<number> => {
    await pause(SPARE_MS);
    const line = Promise.withResolvers<void>();
    const start = performance.now();
    const running = run(sandbox, first, { log: () => line.resolve() });
    await line.promise;
    const took = performance.now() - start;
    running.stop();
    await running.outcome;
    return took;
  };
  const measureColdStart = async (): Promise<number> => {
    const box = createSandbox({ allowWeakSandbox: true, scriptIo: echoOutside });
    await box.health();
    const line = Promise.withResolvers<void>();
    // the first takes the warm child
    const holder = run(box, first);
    const start = performance.now();
    const running = run(box, first, { log: () => line.resolve() });
    await line.promise;
    const took = performance.now() - start;
    for (const each of [holder, running]) each.stop();
    await box.close();
    return took;
  };
  const forkNode = async (): Promise<number> => {
    const start = performance.now();
    const child = fork(fileURLToPath(new URL("plain-node.mjs", import.meta.url)));
    await once(child, "message");
    const took = performance.now() - start;
    await once(child, "exit");
    return took;
  };
  const starts = await measureInterleaved(BLOCKS, { warm: startToFirstLine, plain: forkNode, cold: measureColdStart });
  const plain = computeMedian(starts.plain);

  const rows = [
    createRow("fork of plain Node to its first line (baseline)", starts.plain, "ms"),
    createRow("start to first line, warm child", starts.warm, "ms", {
      ratio: plain / computeMedian(starts.warm),
      target: "<= 5 ms, ratio >= 4",
    }),
    createRow("start to first line, cold", starts.cold, "ms", { ratio: plain / computeMedian(starts.cold) }),
  ];

  for (const [size, name, calls] of [
    [200, "200 B", CALLS],
    [16 * KB, "16 KB", CALLS],
    [1024 * KB, "1 MB", CALLS / 20],
  ] as const) {
    const target = size === 200 ? { target: "<= 100 us" } : {};
    // a call that is no request may not be that long
    const textSize = Math.min(size, 256 * KB);
    const text = await compile(
      `const text = "x".repeat(${textSize}); for (let i = 0; i < ${calls}; i++) await ctx.getInstalledAppUrl(text);`,
    );
    const bytes = await compile(
      `const body = new Uint8Array(${size}); for (let i = 0; i < ${calls}; i++) await fetch("http://x/", { method: "POST", body });`,
    );
    rows.push(
      createRow(
        `bridged call with a text of ${textSize < size ? `${textSize / KB} KB` : name}, echoed`,
        await measureTrips(() => run(echo, text, echoDoor)),
        "us",
        target,
      ),
      createRow(`request and response of ${name}, echoed`, await measureTrips(() => run(echo, bytes)), "us"),
    );
  }

  for (const [size, name] of [
    [KB, "1 KB"],
    [1024 * KB, "1 MB"],
  ] as const) {
    const script = await compile(
      `for (let i = 0; i < 20; i++) await (await fetch(ctx.baseUrl + "/${size}")).arrayBuffer();`,
    );
    const fetches = await measureInterleaved(5, {
      direct: async () =>
        (await measureMs(() => repeat(20, async () => (await fetch(`${base}/${size}`)).arrayBuffer()))) / 20,
      sandboxed: async () => {
        await pause(SPARE_MS);
        const outcome = await run(sandbox, script).outcome;
        assertCompleted(outcome);
        return outcome.usage.wallMs / 20;
      },
    });
    rows.push(
      createRow(`fetch of ${name}, direct (baseline)`, fetches.direct, "ms"),
      createRow(`fetch of ${name}, sandboxed`, fetches.sandboxed, "ms", {
        ratio: computeMedian(fetches.sandboxed) / computeMedian(fetches.direct),
      }),
    );
  }

  rows.push(
    createRow("memory of a live child (PSS)", await measureChildMemory(() => run(sandbox, first)), "MB", {
      target: "<= 35 MB",
    }),
  );
  const short = await compile("await ctx.sleep(20); return 1;");
  const all = await measureMs(() =>
    Promise.all(Array.from({ length: HOOKS_AT_ONCE }, () => run(sandbox, short).outcome)),
  );
  rows.push(createRow(`${HOOKS_AT_ONCE} hooks of 20 ms at once`, [all], "ms"));
  const bundles = await measureInterleaved(BLOCKS, { bundle: () => measureMs(() => compile(makeLargeScript())) });
  rows.push(createRow(`bundling ${SCRIPT_KB} KB`, bundles.bundle, "ms"));

  await Promise.all([sandbox.close(), echo.close()]);
  server.closeAllConnections();
  server.close();
  await compiler.close();
  await stopEsbuild();
  return rows;
}

const compiler = createCompiler({ allowWeak: true });

async function compile(body: string): Promise<CompiledScript> {
  const source = { kind: "inline", content: `export async function run(ctx) { ${body} }` } as const;
  const result = await compiler.compile({ app: "app", root: null, source, entrypoint: "run", label: "bench.ts" });
  if (!result.ok) throw new Error(result.problems[0]?.message);
  return result.script;
}

let scripts = 0;

/** A script of the size, another one each time. */
function makeLargeScript(): string {
  const line = `const v${scripts++} = { a: 1, b: "text", c: [1, 2, 3] };\n`;
  let text = line;
  for (let i = 0; text.length < SCRIPT_KB * KB; i++) text += `function f${i}(x: number): number { return x * ${i}; }\n`;
  return text;
}

function assertCompleted(outcome: RunOutcome): void {
  if (outcome.status !== "completed") throw new Error(`${outcome.reason}: ${outcome.message}`);
}

async function repeat(times: number, run: () => Promise<unknown>): Promise<void> {
  for (let i = 0; i < times; i++) await run();
}

/** When the echo was asked, ms. */
const echoTimes: number[] = [];

/** Between one call and the next of a script that does nothing else, us; each script once before, to be warm. */
async function measureTrips(start: () => Run): Promise<number[]> {
  assertCompleted(await start().outcome);
  echoTimes.length = 0;
  assertCompleted(await start().outcome);
  return echoTimes.slice(1).map((at, i) => (at - (echoTimes[i] ?? at)) * 1000);
}

/** Answers each call at once with the text it came with. */
const echoDoor: Partial<ScriptHost> = {
  call: async (call) => {
    echoTimes.push(performance.now());
    return call.kind === "getInstalledAppUrl" ? call.appId : null;
  },
};

/** Answers each request at once with its own body: what is left is the bridge. */
const echoOutside: ScriptIo = {
  open: () => {
    const refuseAll = async () => ({ error: { name: "Error", message: "not offered" } });
    return {
      fetch: async ({ url, body }) => {
        echoTimes.push(performance.now());
        const head = { status: 200, statusText: "OK", headers: [], url, redirected: false };
        return { ok: { head, body: body ?? new Uint8Array() } };
      },
      readFile: refuseAll,
      list: refuseAll,
      stat: refuseAll,
      openDatabase: refuseAll,
      query: refuseAll,
      closeDatabase: refuseAll,
      close: async () => {},
    };
  },
};

/** PSS of the processes that run a script, MB; nothing else on the machine may run any. */
async function measureChildMemory(
  start: () => { stop(): void; readonly outcome: Promise<unknown> },
): Promise<number[]> {
  const runs = [start(), start(), start(), start()];
  await pause(2_000);
  const sizes: number[] = [];
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const [program = "", ...args] = readFileSync(`/proc/${pid}/cmdline`, "latin1").split("\0");
      // shells stand between this process and the script's, with the same words behind theirs
      if (!program.endsWith("node") || !args.some((arg) => arg.startsWith("--stack-size="))) continue;
      const pss = /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "latin1"))?.[1];
      if (pss !== undefined) sizes.push(Number(pss) / KB);
    } catch {
      // ended meanwhile
    }
  }
  for (const run of runs) run.stop();
  await Promise.all(runs.map(({ outcome }) => outcome));
  return sizes;
}

printTable("Sandbox", await benchSpeed());
