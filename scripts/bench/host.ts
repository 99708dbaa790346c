/**
 * The client against the stand-in in another process: a call's round trip beside a bare `ws` echo, 20 `app.create` jobs and
 * 20 whole installs with hooks in parallel within the limit of 8 calls, and `app.query` of 200 apps beside the bare frames
 * of the same answer.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { WebSocket } from "ws";
import { z } from "zod";
import { createHostRpc } from "../../src/adapters/host-rpc/create-host-rpc.ts";
import type { Host } from "../../src/engine/ports/host.ts";
import { createSystemClock } from "../../src/engine/system/clock.ts";
import { SILENT_LOGGER } from "../../src/engine/system/silent-logger.ts";
import { STANDIN_LOCATIONS } from "../../src/standin/locations.ts";
import { installHooked, writeHookedApps } from "./host-installs.ts";
import { computeMedian, createRow, measureInterleaved, measureMs, printTable } from "./measure.ts";

const BLOCKS = Number(process.argv[2] ?? 15);
const CALLS_PER_BLOCK = 500;
const PARALLEL_INSTALLS = 20;
const MANY_APPS = 200;
const FIRST_PORT = 20_000;

const folder = mkdtempSync(join(tmpdir(), "slipway-bench-engine-"));
const catalog = join(folder, "catalog");
writeHookedApps(catalog, PARALLEL_INSTALLS + 2);
const server = fork(new URL("host-server.ts", import.meta.url), [catalog]);
const [message] = await once(server, "message");
const { url, username, apiKey, echo } = z.record(z.string(), z.string()).parse(message);
if (url === undefined || username === undefined || apiKey === undefined || echo === undefined)
  throw new Error("no host");
const access = {
  username,
  apiKey,
  trustPlaintext: true,
  locations: STANDIN_LOCATIONS,
  clock: createSystemClock(),
  logger: SILENT_LOGGER,
};
const host = createHostRpc({ ...access, url });
// The version is named, so that the responder need not list any.
const least = createHostRpc({ ...access, url: `${echo}/api/v25.10.5` });

try {
  const bare = await openBare(echo);
  const raw = await openBare(url.replace("current", "v25.10.5"));
  await raw.exchange(request("auth.login_ex", [{ mechanism: "API_KEY_PLAIN", username, api_key: apiKey }]));
  const ports = request("app.used_ports", []);
  const calls = await measureInterleaved(BLOCKS, {
    echo: () => measureCall(() => bare.exchange(`echo ${ports}`)),
    least: () => measureCall(() => least.usedPorts()),
    raw: () => measureCall(() => raw.exchange(ports)),
    client: () => measureCall(() => host.usedPorts()),
  });
  const toEcho = (values: readonly number[]) => ({ ratio: computeMedian(values) / computeMedian(calls.echo) });

  const one = await measureMs(() => install(host, 0));
  const together = await measureMs(() =>
    Promise.all(Array.from({ length: PARALLEL_INSTALLS }, (_, at) => install(host, at + 1))),
  );
  for (let at = PARALLEL_INSTALLS + 1; at < MANY_APPS; at += PARALLEL_INSTALLS) {
    const count = Math.min(PARALLEL_INSTALLS, MANY_APPS - at);
    await Promise.all(Array.from({ length: count }, (_, more) => install(host, at + more)));
  }

  const hooked = await installHooked(host, catalog, join(folder, "slipway.db"), PARALLEL_INSTALLS);

  const query = request("app.query", [[], { extra: { retrieve_config: true } }]);
  const lists = await measureInterleaved(Math.max(3, Math.floor(BLOCKS / 3)), {
    raw: () => measureMs(() => raw.exchange(query)),
    client: () => measureMs(() => host.apps()),
  });

  printTable("Host", [
    createRow("bare ws echo, one frame", calls.echo, "us"),
    createRow("client call, least responder", calls.least, "us", { ...toEcho(calls.least), target: "<= 2" }),
    createRow("bare frames, stand-in (app.used_ports)", calls.raw, "us", toEcho(calls.raw)),
    createRow("client call, stand-in (app.used_ports)", calls.client, "us", {
      ...toEcho(calls.client),
      target: "<= 2",
    }),
    createRow("one app.create job", [one], "ms"),
    createRow(`${PARALLEL_INSTALLS} app.create jobs in parallel`, [together], "ms", { ratio: together / one }),
    createRow("one whole install with a hook", [hooked.one], "ms"),
    createRow(`${PARALLEL_INSTALLS} whole installs with hooks in parallel`, [hooked.together], "ms", {
      ratio: hooked.together / hooked.one,
    }),
    createRow(`app.query of ${MANY_APPS} apps, bare frames`, lists.raw, "ms"),
    createRow(`apps() of ${MANY_APPS} apps`, lists.client, "ms", {
      ratio: computeMedian(lists.client) / computeMedian(lists.raw),
    }),
  ]);
  bare.close();
  raw.close();
} finally {
  await host.close();
  await least.close();
  server.disconnect();
  rmSync(folder, { recursive: true, force: true });
}

/** Microseconds per call, made one after the other. */
async function measureCall(call: () => Promise<unknown>): Promise<number> {
  const ms = await measureMs(async () => {
    for (let made = 0; made < CALLS_PER_BLOCK; made++) await call();
  });
  return (ms * 1000) / CALLS_PER_BLOCK;
}

async function install(target: Host, at: number): Promise<void> {
  const requestId = crypto.randomUUID();
  const values = { network: { web_port: { bind_mode: "published", port_number: FIRST_PORT + at, host_ips: [] } } };
  const call = { method: "createApp", name: `app-${at}`, catalogApp: "jellyfin", train: "community", values } as const;
  const { id } = await target.startJob(call, requestId);
  const watch = { signal: AbortSignal.timeout(120_000), progress: () => {} };
  const job = await target.waitJob({ requestId, method: "createApp", id }, watch);
  if (job?.state !== "SUCCESS") throw new Error(`app-${at}: ${job?.error?.reason}`);
}

function request(method: string, params: readonly unknown[]): string {
  return JSON.stringify({ jsonrpc: "2.0", id: crypto.randomUUID(), method, params });
}

/** A socket that sends a text and takes the next frame as its answer. */
async function openBare(address: string): Promise<{ exchange(text: string): Promise<string>; close(): void }> {
  const socket = new WebSocket(address, { perMessageDeflate: false });
  await once(socket, "open");
  return {
    async exchange(text) {
      const answer = once(socket, "message");
      socket.send(text);
      const [data] = await answer;
      return String(data);
    },
    close: () => socket.close(),
  };
}
