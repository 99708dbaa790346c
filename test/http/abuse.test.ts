import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { createPinoLogger } from "../../src/adapters/logger-pino.ts";
import { EngineError } from "../../src/core/codes/problems.ts";
import { SILENT_LOGGER } from "../../src/engine/system/silent-logger.ts";
import { createHttpApp } from "../../src/http/app.ts";
import { ProblemDetailsShape } from "../../src/http/schemas/problem-details.ts";
import { type HttpServer, startHttpServer } from "../../src/http/server.ts";
import { type ServedEngine, serveEngine } from "../support/engine/served-engine.ts";

const STREAMS = 300;
const LIMIT = 1024 * 1024;
const TOKEN = "a-token-of-some-length";

let served: ServedEngine;
/** The same engine behind a server that waits 200 ms for a request. */
let impatient: HttpServer;
/** The same engine behind a server that sends no heartbeat while a test runs. */
let patient: HttpServer;
beforeAll(async () => {
  served = await serveEngine({ server: { heartbeatMs: 50 } });
  const options = { address: "127.0.0.1", port: 0, logger: SILENT_LOGGER };
  impatient = await startHttpServer(served.engine, { ...options, requestTimeoutMs: 200 });
  patient = await startHttpServer(served.engine, { ...options, heartbeatMs: 3_600_000 });
});
afterAll(async () => {
  await patient.close();
  await impatient.close();
  await served.close();
});

/** Sends raw bytes and returns everything the server answered until it closed the connection. */
function raw(text: string, url = served.server.url): Promise<string> {
  const { port, hostname } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(text));
    let answer = "";
    socket.setEncoding("utf8").on("data", (chunk: string) => {
      answer += chunk;
    });
    socket.on("close", () => resolve(answer)).on("error", reject);
  });
}

async function codeOf(response: Response): Promise<string> {
  const { code } = ProblemDetailsShape.parse(await response.json());
  return `${response.status} ${code}`;
}

/** What a stream says until `end` is part of it; throws when it ends before. */
async function readUntil(body: Response["body"], end: string): Promise<string> {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (!text.includes(end)) {
    const chunk = await reader?.read();
    if (chunk?.value === undefined) throw new Error(`the stream ended after ${JSON.stringify(text)}`);
    text += chunk.value;
  }
  return text;
}

describe("abuse leaves the service up and answering", () => {
  it.each([
    ["declared", `Content-Length: ${2 * LIMIT}\r\n\r\n`],
    [
      "streamed",
      `Transfer-Encoding: chunked\r\n\r\n${(2 * LIMIT).toString(16)}\r\n${"x".repeat(2 * LIMIT)}\r\n0\r\n\r\n`,
    ],
  ])("refuses an oversized body, %s", async (_row, rest) => {
    const head = "POST /api/apps/demo-notes/install HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n";
    const answer = await raw(`${head}Connection: close\r\n${rest}`);
    expect(answer).toContain("413 Payload Too Large");
    expect(answer).toContain("HTTP_BODY_TOO_LARGE");
  });

  it.each([
    ["a body that is no JSON", "{nope", "HTTP_BAD_REQUEST"],
    ["a body cut short", '{"answers": {', "HTTP_BAD_REQUEST"],
    ["a deeply nested body", `{"answers":{"x":${"[".repeat(50_000)}${"]".repeat(50_000)}}}`, "TASK_REQUEST_INVALID"],
  ])("refuses %s", async (_row, body, code) => {
    const response = await served.api("/apps/demo-notes/install", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
    expect(await codeOf(response)).toBe(`400 ${code}`);
  });

  it("a body counts only as application/json, so that a form of a foreign page can't send one", async () => {
    const response = await served.api("/apps/demo-notes/install", {
      method: "POST",
      headers: { "content-type": "text/plain" },
      body: '{"inputs":{"first-notebook":{"notebook":"x"}}}',
    });
    expect(await codeOf(response)).toBe("415 HTTP_MEDIA_TYPE");
  });

  it("a required body that is missing is a bad request, an empty optional one is none", async () => {
    const head = { method: "POST", headers: { "content-type": "application/json" } };
    for (const init of [{ method: "POST" }, head]) {
      expect(await codeOf(await served.api("/tasks/nobody/input", init))).toBe("400 HTTP_BAD_REQUEST");
      expect((await served.api("/apps/demo-notes/preview", init)).status).toBe(200);
    }
  });

  it.each([
    ["its head", "GET /api/tasks HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: "],
    [
      "its body",
      "POST /api/apps/demo-notes/install HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{",
    ],
  ])("cuts a request off that never finishes %s, and answers others meanwhile", async (_row, start) => {
    const answer = raw(start, impatient.url);
    expect((await fetch(`${impatient.url}/api/tasks`)).status).toBe(200);
    expect(await answer).toMatch(/^(HTTP\/1\.1 408 Request Timeout|$)/);
    expect((await fetch(`${impatient.url}/api/tasks`)).status).toBe(200);
  });

  it("closes the connection on malformed HTTP", async () => {
    expect(await raw("NOT HTTP\r\n\r\n")).toContain("400 Bad Request");
  });

  it("refuses a rebinding host before any route sees the request", async () => {
    const answer = await raw("GET /api/tasks HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n");
    expect(answer).toContain("403 Forbidden");
    expect(answer).toContain("HTTP_HOST_REFUSED");
  });

  it("serves no file, whatever the path", async () => {
    const answer = await raw(
      "GET /api/apps/../../../../etc/passwd HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n",
    );
    expect(answer).toContain("404 Not Found");
    expect(answer).not.toContain("root:");
  });

  it(`keeps ${STREAMS} idle event streams and still answers`, async () => {
    const gone = new AbortController();
    const streams = await Promise.all(
      Array.from({ length: STREAMS }, () =>
        fetch(`${patient.url}/api/events?from=${served.engine.lastSeq()}`, { signal: gone.signal }),
      ),
    );
    expect(streams.every(({ status }) => status === 200)).toBe(true);
    expect((await fetch(`${patient.url}/api/tasks`)).status).toBe(200);
    gone.abort();
  });

  it("sends a heartbeat on an idle stream", async () => {
    const gone = new AbortController();
    const { body } = await served.api(`/events?from=${served.engine.lastSeq()}`, { signal: gone.signal });
    const text = await readUntil(body, ": \n\n: \n\n: \n\n");
    expect(text).toMatch(/^event: stream\.opened\ndata: \{"epoch":"[^"]+","seq":\d+,"oldest":\d+\}\n\n(: \n\n)+$/);
    gone.abort();
  });
});

describe("event streams", () => {
  it("replay what came after Last-Event-ID, each change once and in order", async () => {
    const { id } = await served.engine.install("demo-media");
    await served.engine.settled(id);
    const last = served.engine.lastSeq();
    const from = last - 5;
    const gone = new AbortController();
    const response = await served.api("/events", { headers: { "last-event-id": String(from) }, signal: gone.signal });
    const text = await readUntil(response.body, `id: ${last}\n`);
    gone.abort();
    const ids = [...text.matchAll(/^id: (\d+)$/gm)].map((match) => Number(match[1]));
    expect(ids).toEqual([from + 1, from + 2, from + 3, from + 4, from + 5]);
  });
});

describe("an event stream nobody reads", () => {
  it("holds one heartbeat, however long", async () => {
    vi.useFakeTimers({ toFake: ["setInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const closing = new AbortController();
    const app = createHttpApp(served.engine, { heartbeatMs: 1, closing: closing.signal });
    const { body } = await app.request(`/api/events?from=${served.engine.lastSeq()}`);
    for (let beats = 0; beats < 1_000; beats += 1) {
      vi.advanceTimersByTime(1);
      await Promise.resolve();
    }
    closing.abort();
    const text = await new Response(body).text();
    expect(text.match(/^: $/gm)?.length).toBe(1);
  });
});

describe("an event stream that has nothing to replay", () => {
  it("answers at once, before any change and any heartbeat", async () => {
    const gone = new AbortController();
    const from = served.engine.lastSeq();
    const response = await fetch(`${patient.url}/api/events?from=${from}`, { signal: gone.signal });
    expect(response.status).toBe(200);
    gone.abort();
  });

  it("tells the next change to a caller whose number is newer than the newest", async () => {
    const gone = new AbortController();
    const newest = served.engine.lastSeq();
    const { body } = await served.api("/events", {
      headers: { "last-event-id": String(newest + 1_000_000) },
      signal: gone.signal,
    });
    const { id } = await served.engine.update("demo-media");
    await readUntil(body, `id: ${newest + 1}\n`);
    gone.abort();
    await served.engine.settled(id);
  });
});

describe("the log", () => {
  it("names every change by its request id and path, every refusal by its code, and holds no secret", async () => {
    const lines: string[] = [];
    const logger = createPinoLogger({ level: "debug", stream: { write: (line) => void lines.push(line) } });
    const broken = {
      ...served.engine,
      tasks: () => {
        throw new Error("a bug");
      },
    };
    const server = await startHttpServer(broken, { address: "127.0.0.1", port: 0, token: TOKEN, logger });
    // What it says of its start, e.g. that no page was built, is about no request.
    lines.length = 0;
    const headers = { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" };
    const body = JSON.stringify({ answers: { admin_password: "a-secret-password" }, more: 1 });
    const answers = [
      await fetch(`${server.url}/api/apps/demo-notes/install?x=hidden-query`, { method: "POST", headers, body }),
      await fetch(`${server.url}/api/tasks`, { headers: { authorization: "Bearer wrong-secret" } }),
      await fetch(`${server.url}/api/tasks`, { headers }),
    ];
    await server.close();
    const ids = answers.map((answer) => answer.headers.get("x-request-id"));
    expect(answers.map(({ status }) => status)).toEqual([400, 401, 500]);
    expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject([
      { id: ids[0], method: "POST", path: "/api/apps/demo-notes/install" },
      { id: ids[1], method: "GET", path: "/api/tasks", code: "HTTP_UNAUTHORIZED" },
      { id: ids[2], error: { message: "a bug", stack: expect.stringContaining("abuse.test") } },
    ]);
    for (const secret of ["a-secret-password", "wrong-secret", "hidden-query", TOKEN]) {
      expect(lines.join("")).not.toContain(secret);
    }
  });
});

describe("who may listen and call", () => {
  it("the server does not listen beyond loopback without a token", async () => {
    const started = startHttpServer(served.engine, { address: "0.0.0.0", port: 0, logger: SILENT_LOGGER });
    await expect(started).rejects.toMatchObject({ code: "HTTP_TOKEN_REQUIRED" });
  });

  it("says which address it can't listen on", async () => {
    const port = Number(new URL(served.server.url).port);
    const started = startHttpServer(served.engine, { address: "127.0.0.1", port, logger: SILENT_LOGGER });
    await expect(started).rejects.toThrow(EngineError);
    await expect(started).rejects.toMatchObject({ code: "HTTP_LISTEN_FAILED" });
  });

  it("asks every caller for the token, and ends open streams when it closes", async () => {
    const server = await startHttpServer(served.engine, {
      address: "127.0.0.1",
      port: 0,
      token: TOKEN,
      logger: SILENT_LOGGER,
    });
    const call = (authorization?: string) =>
      fetch(`${server.url}/api/events`, authorization === undefined ? {} : { headers: { authorization } });
    const asked = await call();
    expect([asked.status, asked.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
    expect((await call("Bearer wrong")).status).toBe(401);
    const stream = await call(`Bearer ${TOKEN}`);
    expect(stream.status).toBe(200);
    const ended = stream.text();
    await server.close();
    await ended;
  });
});
