/** `npm run bench -- pairings`: building the pairing index, and serving it beside a constant body. */
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serve } from "@hono/node-server";
import autocannon from "autocannon";
import { openCatalogDirectory } from "../../src/adapters/catalog/catalog-directory.ts";
import { openEngine } from "../../src/compose.ts";
import { buildPairingIndex } from "../../src/core/hooks/pairings.ts";
import { createCatalogReader } from "../../src/engine/surfaces/catalog-view.ts";
import { createHttpApp } from "../../src/http/app.ts";
import { generatedId, generatedScript, writeGeneratedCatalog } from "../../test/support/scripts/generated-catalog.ts";
import { rawScript } from "../../test/support/scripts/scripts.ts";
import { computeMedian, createRow, measureMs, printTable } from "./measure.ts";

const BLOCKS = 7;

async function indexBuild(apps: number) {
  const folder = mkdtempSync(join(tmpdir(), "slipway-bench-"));
  try {
    writeGeneratedCatalog(folder, apps);
    const read: number[] = [];
    const index: number[] = [];
    const one: number[] = [];
    for (let block = 0; block < BLOCKS; block++) {
      const start = performance.now();
      const catalog = await openCatalogDirectory(folder);
      read.push(performance.now() - start);
      const dictionaries = catalog.entries().flatMap(({ dictionary }) => dictionary ?? []);
      index.push(await measureMs(() => buildPairingIndex(dictionaries)));
      const view = createCatalogReader(catalog, true);
      view();
      writeFileSync(join(folder, `${generatedId(1)}.json`), JSON.stringify(generatedScript(block + 2, apps)));
      await catalog.sync();
      one.push(await measureMs(view));
    }
    return { read, index, one };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Requests per second and latency of one path under 20 connections. */
async function load(url: string): Promise<{ readonly perSecond: number; readonly p99: number }> {
  const { requests, latency, non2xx } = await autocannon({ url, connections: 20, duration: 2, workers: 1 });
  if (non2xx > 0) throw new Error(`${non2xx} answers of ${url} were no 2xx`);
  return { perSecond: requests.average, p99: latency.p99 };
}

/** An app whose widget is cached longer than the bench lasts. */
const TILE = rawScript({
  app_values: {},
  widgetsSchema: 2,
  widgets: [
    {
      id: "now",
      title: "Now",
      refresh: 3600,
      scriptContent:
        'export async function run() { return { fields: { now: { type: "text", text: "all is well".repeat(20) } } }; }',
      entrypoint: "run",
    },
  ],
});

/** `GET pairings` and a cached widget beside a constant body of the pairings' size in the same app, in turn. */
async function measureServing() {
  const folder = mkdtempSync(join(tmpdir(), "slipway-bench-"));
  const catalog = join(folder, "catalog");
  writeGeneratedCatalog(catalog, 1_000);
  writeFileSync(join(catalog, "tile.json"), JSON.stringify(TILE));
  const { engine, close } = await openEngine({
    host: { kind: "standin", idleExitS: 1 },
    db: join(folder, "slipway.db"),
    catalog,
    production: true,
  });
  await engine.settled((await engine.install("tile")).id);
  const query = await measureMs(() => engine.queryWidget("tile", "now"));
  const { state, reason } = await engine.queryWidget("tile", "now");
  if (state !== "ready") throw new Error(`the widget is ${state}: ${reason}`);
  const app = createHttpApp(engine);
  const body = JSON.stringify(await engine.pairings(generatedId(5)));
  const headers = { "content-type": "application/json", etag: '"constant"' };
  app.get("/constant", (c) => c.body(body, 200, headers));
  const server = serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0 });
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("the server has no port");
  const base = `http://127.0.0.1:${address.port}`;
  const constant: number[] = [];
  const pairings: number[] = [];
  const p99: number[] = [];
  const widget: number[] = [];
  const hit: number[] = [];
  for (let block = 0; block < 5; block++) {
    constant.push((await load(`${base}/constant`)).perSecond);
    const { perSecond, p99: slow } = await load(`${base}/api/apps/${generatedId(5)}/pairings`);
    pairings.push(perSecond);
    p99.push(slow);
    widget.push((await load(`${base}/api/apps/tile/widgets/now`)).perSecond);
    hit.push(await measureMs(() => engine.queryWidget("tile", "now")));
  }
  server.close();
  await close();
  rmSync(folder, { recursive: true, force: true });
  return { constant, pairings, p99, bytes: body.length, widget, hit, query: [query] };
}

const small = await indexBuild(1_000);
const large = await indexBuild(10_000);
printTable("Pairing index", [
  createRow("1,000 apps: read, parse and index the files", small.read, "ms"),
  createRow("10,000 apps: read, parse and index the files", large.read, "ms", {
    ratio: computeMedian(large.read) / computeMedian(small.read),
    target: "<= 3000 ms",
  }),
  createRow("1,000 apps: the index alone", small.index, "ms"),
  createRow("10,000 apps: the index alone", large.index, "ms", {
    ratio: computeMedian(large.index) / computeMedian(small.index),
  }),
  createRow("10,000 apps: the index after one changed file", large.one, "ms", { target: "<= 5 ms" }),
]);

const { constant, pairings, p99, bytes, widget, hit, query } = await measureServing();
printTable("GET /api/apps/{appId}/pairings", [
  createRow(`constant body of ${bytes} bytes in the same app`, constant, "requests/s", { ratio: 1 }),
  createRow("pairings", pairings, "requests/s", {
    ratio: computeMedian(pairings) / computeMedian(constant),
    target: "ratio >= 0.8",
  }),
  createRow("pairings, slowest hundredth", p99, "ms"),
]);
printTable("GET /api/apps/{appId}/widgets/{widgetId}", [
  createRow("the constant body", constant, "requests/s", { ratio: 1 }),
  createRow("a cached widget", widget, "requests/s", { ratio: computeMedian(widget) / computeMedian(constant) }),
  createRow("its first query: compiled and run in the sandbox", query, "ms", { ratio: 1 }),
  createRow("a cache hit in the engine", hit, "ms", { ratio: computeMedian(hit) / computeMedian(query) }),
]);
