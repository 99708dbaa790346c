/** Queries of widgets in the real sandbox (docs/decisions.md, section 6). */
import { createServer, type Server } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { createSandbox } from "../../../sandbox/sandbox.ts";
import { createScriptIo } from "../../../src/adapters/script-io/script-io.ts";
import { createWidgetQueries, type WidgetQueries } from "../../../src/engine/surfaces/widget-queries.ts";
import { SILENT_LOGGER } from "../../../src/engine/system/silent-logger.ts";
import { HOST } from "../../support/scripts/plans.ts";
import { dictionaryOf } from "../../support/scripts/scripts.ts";
import { createTestClock, type TestClock } from "../../support/test-clock.ts";

const sandbox = createSandbox({ allowWeakSandbox: true, scriptIo: createScriptIo({ loopback: true }) });
let server: Server;
let port = 0;
let status = 200;
let asked = 0;
beforeAll(async () => {
  server = createServer((_request, response) => {
    asked += 1;
    response.statusCode = status;
    response.end(String(asked));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  port = address !== null && typeof address === "object" ? address.port : 0;
});
afterAll(async () => {
  await sandbox.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

let clock: TestClock;
let queries: WidgetQueries;
let changed: string[];
beforeEach(() => {
  status = 200;
  asked = 0;
  clock = createTestClock();
  const appPorts = async () => [port];
  const trusted = () => false;
  changed = [];
  const onChange = (appId: string, widgetId: string) => void changed.push(`${appId}/${widgetId}`);
  queries = createWidgetQueries({
    sandbox,
    catalogRoot: "/",
    clock,
    logger: SILENT_LOGGER,
    appPorts,
    vouchedPorts: [],
    trusted,
    onChange,
  });
});

const COUNTS = `
  const response = await fetch("http://" + ctx.host + ":" + ctx.port + "/");
  if (!response.ok) throw new Error("status " + response.status);
  return { fields: { count: { type: "text", text: await response.text() } } };`;

/** Reads a widget with this body, refreshed every 30 s. */
function read(body = COUNTS) {
  const scriptContent = `export async function run(ctx) {${body}}`;
  const widgets = [{ id: "tile", title: "Tile", refresh: 30, scriptContent, entrypoint: "run" }];
  const dictionary = dictionaryOf("demo", { widgetsSchema: 2, widgets });
  const [widget] = dictionary.widgets;
  if (widget === undefined) throw new Error("the widget was dropped");
  const app = { state: "RUNNING", version: "1.0.0", ports: [port] };
  return queries.read(dictionary, widget, async () => ({
    facts: { ...HOST, lanIp: "127.0.0.1", apps: { demo: app } },
    hostAddresses: [],
    secrets: [],
    app: {
      ...app,
      name: "demo",
      appId: "demo",
      custom: false,
      upgradeAvailable: false,
      latestVersion: "1.0.0",
      title: "Demo",
      icon: "",
      scheme: "http",
      publishedPorts: [port],
      mounts: [],
      port,
    },
    mounts: [{ hostPath: "/mnt/a", containerPath: "/a", localPath: "/nowhere", location: null }],
  }));
}

const count = (text: string) => ({ count: { type: "text", text } });

describe("a widget", () => {
  it("is queried once at a time, its result cached for refresh", async () => {
    const readings = await Promise.all([read(), read(), read()]);
    expect(readings.map(({ fields }) => fields)).toEqual([count("1"), count("1"), count("1")]);
    clock.advance(29_999);
    expect((await read()).fields).toEqual(count("1"));
    clock.advance(1);
    expect((await read()).fields).toEqual(count("2"));
    expect(asked).toBe(2);
  });

  it("whose query fails shows its last good result, marked stale, with the reason", async () => {
    await read();
    status = 503;
    clock.advance(30_000);
    expect(await read()).toMatchObject({ state: "ready", stale: true, reason: "status 503", fields: count("1") });
    status = 200;
    clock.advance(10_000);
    expect(await read()).toMatchObject({ state: "ready", stale: false, fields: count("3") });
  });

  it("says when it shows something else than before, and not at its first result", async () => {
    const still = 'return { fields: { count: { type: "text", text: "still" } } };';
    const seen: string[] = [];
    for (const [body, expected] of [
      [COUNTS, ["demo/tile"]],
      [still, []],
    ] as const) {
      await read(body);
      seen.push(...changed.splice(0));
      clock.advance(30_000);
      await read(body);
      expect([seen, changed.splice(0)]).toEqual([[], expected]);
    }
    await read();
    status = 503;
    clock.advance(30_000);
    await read();
    expect(changed).toEqual(["demo/tile"]);
  });

  it("is not journalled", async () => {
    const run = vi.spyOn(sandbox, "run");
    onTestFinished(() => run.mockRestore());
    await read();
    expect(run.mock.calls.map(([{ kind, journal }]) => [kind, journal])).toEqual([["widget", undefined]]);
  });

  it("that fails is not asked again for 10 seconds", async () => {
    status = 503;
    expect(await read()).toMatchObject({ state: "failed", stale: false, reason: "status 503" });
    clock.advance(9_999);
    await read();
    expect(asked).toBe(1);
    clock.advance(1);
    await read();
    expect(asked).toBe(2);
  });

  it("is given appId, host, port, mounts and log, and no more", async () => {
    const text = "Object.keys(ctx).sort().join()";
    expect((await read(`return { fields: { count: { type: "text", text: ${text} } } };`)).fields).toEqual(
      count("appId,host,log,mounts,port"),
    );
  });
});
