/** The corpus, third part: widgets. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { startApp } from "./app-server.ts";
import { createWorkbench, resultOf } from "./workbench.ts";

const bench = createWorkbench();
afterAll(() => bench[Symbol.asyncDispose]());

test("now-playing shows artwork as data URIs and drops undefined members", async () => {
  const session = { title: "One", thumb: "/art/1", positionMs: 10, durationMs: 100, paused: false };
  await using app = await startApp({
    "GET /sessions": () => ({
      body: [session, { ...session, title: "Two", user: "ben", thumb: "/gone", paused: true }],
    }),
    "GET /art/1": () => ({ body: Buffer.from([0xff, 0xd8, 0xff]), headers: { "content-type": "image/jpeg" } }),
  });
  const ran = await bench.run({ file: "now-playing.widget.ts", entrypoint: "nowPlaying", kind: "widget", app });
  const image = "data:image/jpeg;base64,/9j/";
  expect(resultOf(ran)).toEqual({
    fields: {
      playing: {
        type: "list",
        entries: [
          { title: "One", image, elapsed: { ms: 10, ofMs: 100, state: "running" } },
          { title: "Two", subtitle: "ben", elapsed: { ms: 10, ofMs: 100, state: "paused" } },
        ],
      },
      count: { type: "stat", label: "Playing", value: 2 },
      cover: { type: "image", image, alt: "Cover" },
    },
  });
});

test("now-playing omits the cover when nothing plays", async () => {
  await using app = await startApp({ "GET /sessions": () => ({ body: [] }) });
  const ran = await bench.run({ file: "now-playing.widget.ts", entrypoint: "nowPlaying", kind: "widget", app });
  expect(resultOf(ran)).toEqual({
    fields: { playing: { type: "list", entries: [] }, count: { type: "stat", label: "Playing", value: 0 } },
  });
});

test("stats asks several addresses at once and leaves out what does not answer", async () => {
  await using app = await startApp({
    "GET /totals": () => ({ body: { items: 12_345 } }),
    "GET /queue": () => ({ body: ["a", "b"] }),
  });
  const ran = await bench.run({ file: "stats.widget.ts", entrypoint: "stats", kind: "widget", app });
  expect(resultOf(ran)).toEqual({
    fields: { items: { type: "stat", label: "Items", value: "12,345" }, queue: { type: "text", text: "a, b" } },
  });
  expect(ran.log).toEqual(['queue ["a", "b"]']);
});

test("token asks for set-up until its token file is there", async () => {
  const folder = mkdtempSync(join(tmpdir(), "slipway-widget-"));
  const mounts = [{ hostPath: "/mnt/tank/x", containerPath: "/config", localPath: folder, location: folder }];
  await using app = await startApp({
    "GET /status": ({ headers }) => (headers.authorization === "Bearer t0k" ? { body: "fine" } : { status: 401 }),
  });
  const query = async () =>
    resultOf(await bench.run({ file: "token.widget.ts", entrypoint: "query", kind: "widget", app, mounts }));
  try {
    expect(await query()).toEqual({ needsSetup: true, reason: "Run the set-up action first" });
    writeFileSync(join(folder, "token"), "wrong\n");
    expect(await query()).toEqual({ needsSetup: true, reason: "The token is no longer valid" });
    writeFileSync(join(folder, "token"), "t0k\n");
    expect(await query()).toEqual({ fields: { status: { type: "text", text: "fine" } } });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("a widget that posts is refused", async () => {
  await using app = await startApp({ "POST /": () => ({}) });
  const code = "export const run = (ctx) => fetch('http://' + ctx.host + ':' + ctx.port + '/', { method: 'POST' });";
  const { outcome } = await bench.run({ code, kind: "widget", app });
  expect(outcome).toMatchObject({ status: "failed", reason: "policy_denied" });
  expect(app.received).toEqual([]);
});
