/** Strangers fill no disk by being refused. */
import { connect } from "node:net";
import { expect } from "vitest";
import { SILENT_LOGGER } from "../../src/engine/system/silent-logger.ts";
import { Session } from "../../src/http/schemas/system/sessions.ts";
import { startHttpServer } from "../../src/http/server.ts";
import { closeAfterTest, it, openWorld } from "../support/engine/engine-test.ts";

const TOKEN = "x".repeat(16);

async function serve() {
  const lines: [Readonly<Record<string, unknown>>, string][] = [];
  const log = (fields: Readonly<Record<string, unknown>>, text: string) => void lines.push([fields, text]);
  const { engine } = await openWorld({ catalog: { a: {} } });
  const logger = { ...SILENT_LOGGER, info: log, warn: log };
  const options = { address: "127.0.0.1", port: 0, token: TOKEN, lockNonce: "a-nonce", logger };
  const server = await startHttpServer(engine, options);
  closeAfterTest(server);
  lines.splice(0);
  return { lines, server };
}

it("refused requests are counted, and logged twice a minute at the most for each reason", async () => {
  const { lines, server } = await serve();
  for (let asked = 0; asked < 200; asked += 1) {
    const response = await fetch(`${server.url}/api/${"a".repeat(10_000)}`);
    expect(response.status).toBe(401);
    await response.body?.cancel();
  }
  const foreign = await fetch(`${server.url}/api/tasks`, { headers: { origin: "http://evil.example" } });
  expect(foreign.status).toBe(403);
  await server.close();
  expect(lines).toEqual([
    [
      {
        id: expect.stringMatching(/^[\w-]{36}$/),
        method: "GET",
        path: `/api/${"a".repeat(195)}… (10005 characters)`,
        code: "HTTP_UNAUTHORIZED",
        client: "127.0.0.1",
      },
      "request refused",
    ],
    [expect.objectContaining({ path: "/api/tasks", code: "HTTP_ORIGIN_REFUSED" }), "request refused"],
    [{ refused: { HTTP_UNAUTHORIZED: 199 } }, "more requests refused"],
  ]);
});

it("strangers write no line for each request they send to the doors that are open to them", async () => {
  const { lines, server } = await serve();
  const ask = (method: string, path: string, body?: string) =>
    fetch(`${server.url}/api${path}`, {
      method,
      body: body ?? null,
      headers: { ...(body !== undefined && { "content-type": "application/json" }) },
    });
  const { port, host } = new URL(server.url);
  const head = `HEAD /api/identity?challenge=${"c".repeat(43)} HTTP/1.1\r\nHost: ${host}\r\n`;
  const socket = connect(Number(port), "127.0.0.1");
  socket.write(`${`${head}\r\n`.repeat(300)}${head}Connection: close\r\n\r\n`);
  let answered = "";
  for await (const chunk of socket) answered += String(chunk);
  // The proof costs work: an address may ask for it so often.
  const statuses = [...answered.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => status);
  expect([statuses.length, [...new Set(statuses)]]).toEqual([301, ["200", "429"]]);
  for (let guess = 0; guess < 30; guess += 1) {
    expect([401, 429]).toContain((await ask("POST", "/session", JSON.stringify({ token: `guess ${guess}` }))).status);
    expect((await ask("DELETE", "/session")).status).toBe(204);
  }
  expect((await ask("POST", "/session", "no JSON")).status).toBe(400);
  await server.close();
  const first = (code: string, method: string, path: string) => [
    expect.objectContaining({ code, method, path, client: "127.0.0.1" }),
    "request refused",
  ];
  expect(lines).toEqual([
    [expect.objectContaining({ code: "HTTP_RATE_LIMITED", path: "/api/identity" }), "request refused"],
    first("HTTP_UNAUTHORIZED", "POST", "/api/session"),
    first("HTTP_BAD_REQUEST", "POST", "/api/session"),
    [
      { refused: { HTTP_RATE_LIMITED: expect.any(Number), HTTP_UNAUTHORIZED: expect.any(Number) } },
      "more requests refused",
    ],
  ]);
});

it("a log-in, a log-out and a change are logged, without the query", async () => {
  const { lines, server } = await serve();
  const json = { "content-type": "application/json" };
  const opened = await fetch(`${server.url}/api/session?a=b`, {
    method: "POST",
    headers: json,
    body: JSON.stringify({ token: TOKEN }),
  });
  const session = {
    cookie: opened.headers.get("set-cookie")?.split(";")[0] ?? "",
    "x-slipway": Session.parse(await opened.json()).key,
  };
  await fetch(`${server.url}/api/notifications/read?a=b`, { method: "POST", headers: session });
  await fetch(`${server.url}/api/session`, { method: "DELETE", headers: session });
  expect(lines.map(([{ method, path }, text]) => [method, path, text])).toEqual([
    ["POST", "/api/session", "request"],
    ["POST", "/api/notifications/read", "request"],
    ["DELETE", "/api/session", "request"],
  ]);
});
