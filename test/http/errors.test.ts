/** Errors no ordinary request gets. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { explain } from "../../src/core/codes/codes.ts";
import type { Engine } from "../../src/engine/api.ts";
import { createHttpApp } from "../../src/http/app.ts";
import { toProblemDetails } from "../../src/http/problem-details.ts";
import { type ServedEngine, serveEngine } from "../support/engine/served-engine.ts";

let served: ServedEngine;
beforeAll(async () => {
  served = await serveEngine();
});
afterAll(() => served.close());

it("what is no error of ours is HTTP_INTERNAL and tells nothing of its inside", () => {
  const details = toProblemDetails(new TypeError("the password is hunter2"));
  expect(details).toMatchObject({ status: 500, code: "HTTP_INTERNAL" });
  expect(JSON.stringify(details)).not.toContain("hunter2");
});

it.each([
  ["DELETE", "/api/tasks", "GET, HEAD"],
  ["GET", "/api/apps/demo/install", "POST"],
  ["PUT", "/api/apps/demo", "GET, HEAD"],
])("%s %s is HTTP_METHOD_NOT_ALLOWED, with what is allowed", async (method, path, allowed) => {
  const response = await createHttpApp(served.engine).request(path, { method });
  expect(response.status).toBe(405);
  expect(response.headers.get("allow")).toBe(allowed);
  expect(await response.json()).toMatchObject({ status: 405, code: "HTTP_METHOD_NOT_ALLOWED" });
});

it("a path with an empty segment names no route, whatever the method", async () => {
  const response = await createHttpApp(served.engine).request("/api/apps//pairings");
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({ code: "HTTP_NOT_FOUND" });
});

it("HEAD of the event stream answers its head and opens no stream", async () => {
  let watched = 0;
  const watch: Engine["watch"] = (...args) => {
    watched += 1;
    return served.engine.watch(...args);
  };
  const response = await createHttpApp({ ...served.engine, watch }).request("/api/events", { method: "HEAD" });
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  expect(await response.text()).toBe("");
  expect(watched).toBe(0);
});

it("a refused body's detail names the place only where there is one", async () => {
  const post = (body: string) =>
    createHttpApp(served.engine).request("/api/apps/demo-notes/install", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
  expect(await (await post('{"anwsers":{}}')).json()).toMatchObject({ detail: 'Unrecognized key: "anwsers"' });
  expect(await (await post('{"consents":{"terms":1}}')).json()).toMatchObject({
    detail: '"consents.terms": Invalid input: expected boolean, received number',
  });
});

it.each([
  ["TASK_HOOK_UNKNOWN", "/api/apps/demo-notes/install", { inputs: { nope: { a: "1" } } }],
  ["ANSWER_UNKNOWN", "/api/apps/demo-notes/install", { answers: { nope: "1" } }],
  [
    "PAIRING_LINK_UNKNOWN",
    "/api/apps/demo-notes/install",
    { links: [{ hookId: "x", runsOnAppId: "y", targets: ["z"] }] },
  ],
])("a request refused for what it holds is 422, %s too", async (code, path, body) => {
  const response = await createHttpApp(served.engine).request(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  expect([response.status, await response.json()]).toMatchObject([422, { code, problems: [{ code }] }]);
});

it.each([
  ["TASK_INPUT_UNKNOWN", 422],
  ["HOST_UPGRADE_NONE", 409],
] as const)("%s is answered with %i", (code, status) => {
  expect(explain(code).status).toBe(status);
});

it("the 2,001st event stream is HTTP_STREAMS_EXHAUSTED, and one that ends makes room", async () => {
  const closing = new AbortController();
  const app = createHttpApp(served.engine, { closing: closing.signal });
  const streams = await Promise.all(Array.from({ length: 2_000 }, () => app.request("/api/events")));
  const refused = await app.request("/api/events");
  expect(refused.status).toBe(503);
  expect(await refused.json()).toMatchObject({ code: "HTTP_STREAMS_EXHAUSTED" });
  await streams[0]?.body?.cancel();
  await expect.poll(async () => (await app.request("/api/events")).status).toBe(200);
  closing.abort();
});
