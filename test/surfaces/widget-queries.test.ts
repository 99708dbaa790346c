import { createServer, type Server } from "node:http";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createSandbox } from "../../sandbox/sandbox.ts";
import { createScriptIo } from "../../src/adapters/script-io/script-io.ts";
import type { Dictionary, Widget } from "../../src/core/script/dictionary.ts";
import type { HostApp } from "../../src/engine/ports/host-records.ts";
import type { WidgetDeps } from "../../src/engine/surfaces/run-widget.ts";
import { createWidgetQueries, type WidgetQueries } from "../../src/engine/surfaces/widget-queries.ts";
import { SILENT_LOGGER } from "../../src/engine/system/silent-logger.ts";
import { dictionaryOf, on } from "../support/scripts/scripts.ts";

const SCRIPT = `export async function run(ctx) {
  const answer = await fetch("http://" + ctx.host + ":" + ctx.port + "/count");
  if (answer.status === 401) return { needsSetup: true, reason: "sign in first" };
  if (!answer.ok) throw new Error("the app answered " + answer.status);
  return { fields: { count: { type: "stat", label: "Count", value: Number(await answer.text()) } } };
}`;

const sandbox = createSandbox({ allowWeakSandbox: true, scriptIo: createScriptIo({ loopback: true }) });
let server: Server;
let port = 0;
let asked: string[] = [];
let status = 200;
let now = 0;
let trusted = false;
let queries: WidgetQueries;

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.statusCode = status;
    response.end(String(asked.length));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("the server has no port");
  port = address.port;
});
afterAll(async () => {
  server.close();
  await sandbox.close();
});
beforeEach(() => {
  asked = [];
  status = 200;
  now = 0;
  trusted = false;
  queries = createWidgetQueries({
    sandbox,
    catalogRoot: import.meta.dirname,
    clock: { now: () => now, monotonic: () => now, after: () => () => {} },
    logger: SILENT_LOGGER,
    appPorts: async () => [port],
    vouchedPorts: [],
    trusted: () => trusted,
  });
});
afterEach(() => queries.close());

function declared(changes: Record<string, unknown> = {}): { dictionary: Dictionary; widget: Widget } {
  const raw = { id: "count", title: "Count", refresh: 60, scriptContent: SCRIPT, entrypoint: "run", ...changes };
  const dictionary = dictionaryOf("plex", { widgetsSchema: 2, widgets: [raw] });
  const [widget] = dictionary.widgets;
  if (widget === undefined) throw new Error("the widget was dropped");
  return { dictionary, widget };
}

function deps(state = "RUNNING"): WidgetDeps {
  const app: HostApp = {
    name: "plex",
    appId: "plex",
    custom: false,
    state,
    version: "1.0.0",
    upgradeAvailable: false,
    port,
    scheme: "http",
    publishedPorts: [port],
    mounts: [],
  };
  const apps = { plex: { state, version: "1.0.0", ports: [port] } };
  const facts = { lanIp: "127.0.0.1", hostId: "h", memoryMb: 1024, cores: 2, locations: {}, apps, gpus: [] };
  return { facts, hostAddresses: [], app, mounts: [], secrets: [] };
}

function read(changes: Record<string, unknown> = {}, state = "RUNNING") {
  const { dictionary, widget } = declared(changes);
  return queries.read(dictionary, widget, async () => deps(state));
}

const count = (value: number) => ({ fields: { count: { type: "stat", label: "Count", value } } });

describe("a widget's query", () => {
  it("is cached for its refresh time, then asked again", async () => {
    expect(await read()).toMatchObject({ state: "ready", stale: false, ...count(1) });
    now = 59_999;
    expect(await read()).toMatchObject(count(1));
    now = 60_000;
    expect(await read()).toMatchObject({ at: 60_000, ...count(2) });
  });

  it("runs once for callers that come together", async () => {
    const results = await Promise.all([read(), read(), read()]);
    for (const result of results) expect(result).toMatchObject(count(1));
    expect(asked).toEqual(["GET /count"]);
  });

  it("serves the last good result as stale with the reason when it fails", async () => {
    await read();
    status = 500;
    now = 60_000;
    expect(await read()).toMatchObject({
      state: "ready",
      stale: true,
      reason: expect.stringContaining("the app answered 500"),
      at: 0,
      ...count(1),
    });
  });

  it("does not hammer an app that fails", async () => {
    status = 500;
    expect(await read()).toMatchObject({ state: "failed", stale: false });
    now = 9_999;
    await read();
    expect(asked).toHaveLength(1);
    now = 10_000;
    await read();
    expect(asked).toHaveLength(2);
  });

  it("serves the last good result as stale with the reason when host or sandbox can't be asked", async () => {
    const { dictionary, widget } = declared();
    await read();
    const away = await queries.read(dictionary, widget, () => Promise.reject(new Error("the host is away")));
    expect(away).toMatchObject({ state: "ready", stale: true, reason: "the host is away", ...count(1) });

    const broken = createWidgetQueries({
      sandbox: { ...sandbox, compile: () => Promise.reject(new Error("no sandbox")) },
      catalogRoot: import.meta.dirname,
      clock: { now: () => now, monotonic: () => now, after: () => () => {} },
      logger: SILENT_LOGGER,
      appPorts: async () => [],
      vouchedPorts: [],
      trusted: () => false,
    });
    const reading = await broken.read(dictionary, widget, async () => deps());
    expect(reading).toMatchObject({ state: "failed", reason: "no sandbox" });
  });

  it("passes needsSetup on", async () => {
    status = 401;
    expect(await read()).toMatchObject({ state: "needsSetup", reason: "sign in first" });
  });

  it("is abandoned after its timeout", async () => {
    const forever = "export async function run() { await new Promise(() => {}); }";
    const endless = "export async function run(ctx) { for (;;) await new Promise((r) => setTimeout(r, 50)); }";
    for (const scriptContent of [forever, endless]) {
      expect(await read({ scriptContent, timeout: 1 })).toMatchObject({ state: "failed" });
    }
  });

  it("may only read, unless the embedder trusts the widget", async () => {
    const scriptContent = SCRIPT.replace('"/count")', '"/count", { method: "POST" })');
    expect(await read({ scriptContent })).toMatchObject({ state: "failed" });
    expect(asked).toEqual([]);
    trusted = true;
    now = 60_000;
    expect(await read({ scriptContent })).toMatchObject({ state: "ready" });
    expect(asked).toEqual(["POST /count"]);
  });

  it("is not run while a condition fails: visibility hides, availability gives the reason instead of data", async () => {
    expect(await read({ conditions: [on("sonarr")] })).toMatchObject({ state: "hidden" });
    const available = { conditions: [on("plex", "appRunning", "availability")] };
    expect(await read(available, "STOPPED")).toMatchObject({ state: "unavailable", reason: '"plex" is not running' });
    expect(asked).toEqual([]);
  });

  it("is unavailable while its app is not installed", async () => {
    const { dictionary, widget } = declared();
    const reading = await queries.read(dictionary, widget, async () => null);
    expect(reading).toMatchObject({ state: "unavailable", reason: '"plex" is not installed' });
  });

  it("forgets the result of another declaration", async () => {
    await read();
    expect(await read({ refresh: 120 })).toMatchObject(count(2));
  });

  it("says why a script does not compile", async () => {
    const reading = await read({ scriptContent: "export async function run( {" });
    expect(reading).toMatchObject({ state: "failed", problems: [{ severity: "error" }] });
  });
});
