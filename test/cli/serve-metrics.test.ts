/** `serve --metrics`: what Prometheus scrapes of a running engine, on real sockets. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer, request } from "node:http";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { METRICS } from "../../src/engine/telemetry/metric-table.ts";
import { askControl } from "../../src/standin/control/ask-control.ts";
import { type Family, parsePrometheusText } from "../support/http/prometheus-text.ts";
import { rawApp, rawSetup } from "../support/scripts/bad-scripts.ts";
import {
  createSlipwayFolder,
  endOf,
  mainScript,
  type SlipwayProcess,
  slipway,
  startSlipway,
  untilOutput,
} from "../support/slipway-process.ts";

const LONG = "export async function run() { await new Promise((resolve) => setTimeout(resolve, 50_000)); }";
const TILE = {
  id: "tile",
  title: "Tile",
  scriptContent: `export async function query() { return { fields: { n: { type: "text", text: "7" } } }; }`,
  entrypoint: "query",
  refresh: 60,
};

const folder = createSlipwayFolder({
  "acme-waits.json": rawApp("acme-waits", { hooks: [rawSetup({ scriptContent: LONG })] }),
  "acme-tiles.json": rawApp("acme-tiles", { widgetsSchema: 2, widgets: [TILE] }),
});
afterAll(() => folder.remove());
const services: SlipwayProcess[] = [];
/** What a test that failed has left. */
afterEach(() => {
  for (const child of services.splice(0)) child.kill("SIGKILL");
});

const Ready = z.strictObject({ url: z.string(), metrics: z.string().exactOptional() });

async function serve(...options: readonly string[]): Promise<{ child: SlipwayProcess; url: string; metrics: string }> {
  const args = ["serve", ...folder.engine, "--listen", "127.0.0.1:0", "--no-token", "--allow-weak-sandbox", ...options];
  const child = startSlipway(args);
  services.push(child);
  const line = (await untilOutput(child, /\{"url":.*\}\n/)).match(/\{"url".*\}/)?.[0] ?? "";
  return { child, metrics: "", ...Ready.parse(JSON.parse(line)) };
}

async function stop(child: SlipwayProcess): Promise<void> {
  const ended = endOf(child);
  child.kill("SIGTERM");
  expect((await ended).exitCode).toBe(0);
}

async function scrape(url: string): Promise<ReadonlyMap<string, Family>> {
  const response = await fetch(url);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  return parsePrometheusText(await response.text());
}

/** What a family tells, each with its labels' values before it. */
function valuesOf(families: ReadonlyMap<string, Family>, name: string): readonly string[] {
  const samples = families.get(name)?.samples ?? [];
  return samples.map(({ labels, value }) => [...Object.values(labels), value].join(" "));
}

/** The name under which a metric of the table is exposed. */
function exposedName({ name, kind }: (typeof METRICS)[keyof typeof METRICS]): string {
  return name.replaceAll(".", "_") + (kind === "counter" || kind === "total" ? "_total" : "");
}

describe("serve --metrics", () => {
  it("tells every metric of the table in Prometheus' format, and its end is the service's", async () => {
    const { child, url, metrics } = await serve("--metrics", "0");
    expect(metrics).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/metrics$/);
    const call = (path: string, method: string) => fetch(`${url}/api/${path}`, { method });
    expect((await call("apps/acme-tiles/install", "POST")).status).toBe(202);
    await expect
      .poll(async () => valuesOf(await scrape(metrics), "slipway_task_ended_total"))
      .toEqual(["install COMPLETED 1"]);
    expect((await call("apps/acme-tiles/widgets/tile", "GET")).status).toBe(200);
    await askControl(await folder.standin(), "arm", ["drop-mid-job@app.create"]);
    expect((await call("apps/acme-waits/install", "POST")).status).toBe(202);
    await expect
      .poll(async () =>
        valuesOf(await scrape(metrics), "slipway_effect_in_flight").filter((one) => !one.endsWith(" 0")),
      )
      .toEqual(["hook.run 1"]);

    const families = await scrape(metrics);
    expect([...families.keys()].toSorted()).toEqual(Object.values(METRICS).map(exposedName).toSorted());
    for (const row of Object.values(METRICS)) {
      const labels = new Set(families.get(exposedName(row))?.samples.flatMap((sample) => Object.keys(sample.labels)));
      labels.delete("le");
      const named = row.attributes.map((attribute) => attribute.replaceAll(".", "_"));
      expect(named, row.name).toEqual(expect.arrayContaining([...labels]));
      expect(families.get(exposedName(row))?.help).toBe(row.of);
    }
    expect(valuesOf(families, "slipway_task_count")).toEqual(
      expect.arrayContaining(["install RUNNING 1", "hook RUNNING 1"]),
    );
    const oldest = families.get("slipway_effect_oldest_age")?.samples;
    expect(oldest?.find(({ labels }) => labels["slipway_effect_name"] === "hook.run")?.value).toBeGreaterThan(0);
    expect(valuesOf(families, "slipway_sandbox_runs_total")).toEqual(["widget completed 1"]);
    expect(Number(valuesOf(families, "slipway_host_reconnects_total")[0])).toBeGreaterThan(0);
    expect(Number(valuesOf(families, "slipway_sandbox_children")[0])).toBeGreaterThan(0);
    expect(Number(valuesOf(families, "slipway_watcher_count")[0])).toBeGreaterThan(0);
    expect(Number(valuesOf(families, "slipway_database_size")[0])).toBeGreaterThan(10_000);
    expect(valuesOf(families, "slipway_turn_duration").some((one) => one.startsWith("install taken"))).toBe(true);
    expect(valuesOf(families, "rpc_client_call_duration").some((one) => one.includes("createApp"))).toBe(true);
    // What a catalog or an owner names stands nowhere.
    expect(await (await fetch(metrics)).text()).not.toMatch(/acme|tile/);

    await stop(child);
    await expect(fetch(metrics)).rejects.toThrow();
  });

  it("tells nothing to pages, to names nobody allowed, and nothing but its own path", async () => {
    const { child, metrics } = await serve("--metrics", "0", "--allow-host", "nas.local");
    const at = new URL(metrics);
    const statusOf = async (headers: Record<string, string>, path = "/metrics", method = "GET"): Promise<number> => {
      const asked = request({ host: at.hostname, port: at.port, path, method, headers, agent: false }).end();
      const [response] = await once(asked, "response");
      response.resume();
      return response.statusCode;
    };
    expect(await statusOf({ host: "nas.local" })).toBe(200);
    expect(await statusOf({ host: "evil.example" })).toBe(403);
    expect(await statusOf({ "sec-fetch-site": "cross-site" })).toBe(403);
    expect(await statusOf({}, "/metrics?debug=1")).toBe(200);
    expect(await statusOf({}, "/api/apps")).toBe(404);
    expect(await statusOf({}, "/metrics", "POST")).toBe(405);
    await stop(child);
  });

  it("asks for a token of its own, with which nothing but metrics can be read", async () => {
    const file = join(folder.path, "metrics.token");
    writeFileSync(file, "only-for-the-metrics\n", { mode: 0o600 });
    const { child, url, metrics } = await serve("--metrics", "127.0.0.1:0", "--metrics-token-file", file);
    const withToken = { headers: { authorization: "Bearer only-for-the-metrics" } };
    expect((await fetch(metrics)).status).toBe(401);
    expect((await fetch(metrics, { headers: { authorization: "Bearer another-long-enough" } })).status).toBe(401);
    expect((await fetch(metrics, withToken)).status).toBe(200);
    expect((await fetch(new URL("/api/apps", metrics), withToken)).status).toBe(404);
    expect((await fetch(`${url}/metrics`)).status).toBe(404);
    await stop(child);
  });

  it("refuses what it can't mean before the engine is opened", async () => {
    const holder = createServer().listen(0, "127.0.0.1");
    await once(holder, "listening");
    const { port } = z.object({ port: z.number() }).parse(holder.address());
    const db = join(folder.path, "none.db");
    const refused = async (...options: readonly string[]) => {
      const { exitCode, stdout, stderr } = await slipway("serve", "--db", db, "--listen", "127.0.0.1:0", ...options);
      expect([exitCode, stdout]).toEqual([2, ""]);
      return stderr;
    };
    expect(await refused("--metrics", `${port}`)).toMatch(
      new RegExp(`error HTTP_LISTEN_FAILED: .*127.0.0.1:${port}: .*EADDRINUSE[\\s\\S]*--metrics ADDR:PORT`),
    );
    expect(await refused("--metrics", "0.0.0.0:9464")).toMatch(
      /error HTTP_TOKEN_REQUIRED: [\s\S]*--metrics-token-file/,
    );
    expect(await refused("--metrics", "70000")).toContain("error CLI_USAGE");
    expect(await refused("--metrics-token-file", db)).toContain("error CLI_USAGE");
    expect(() => parsePrometheusText("x 1\n")).toThrow("not of the family");
    holder.close();
  });

  it.each([
    [[], false],
    [["--metrics", "0"], true],
  ])("loads OpenTelemetry's SDK only where it is asked for: %j", async (options, loads) => {
    const hook = [
      'import { registerHooks } from "node:module";',
      "registerHooks({ load(url, context, next) {",
      '  if (/@opentelemetry\\/(?:sdk|exporter)/.test(url)) process.stderr.write("loaded " + url + "\\n");',
      "  return next(url, context);",
      "} });",
    ].join("\n");
    const preload = `data:text/javascript,${encodeURIComponent(hook)}`;
    const args = ["serve", ...folder.engine, "--listen", "127.0.0.1:0", "--no-token", ...options];
    const child = spawn(process.execPath, ["--import", preload, mainScript(), ...args], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    services.push(child);
    const ended = endOf(child);
    await untilOutput(child, /\{"url":.*\}\n/);
    child.kill("SIGTERM");
    expect((await ended).stderr.includes("loaded ")).toBe(loads);
  });
});
