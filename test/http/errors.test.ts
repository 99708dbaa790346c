/** Errors no ordinary request gets. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { createHttpApp } from "../../src/http/app.ts";
import { detailsOfError } from "../../src/http/problem-details.ts";
import { type ServedEngine, serveEngine } from "../support/served-engine.ts";

let served: ServedEngine;
beforeAll(async () => {
  served = await serveEngine();
});
afterAll(() => served.close());

it("what is no error of ours is HTTP_INTERNAL and tells nothing of its inside", () => {
  const details = detailsOfError(new TypeError("the password is hunter2"));
  expect(details).toMatchObject({ status: 500, code: "HTTP_INTERNAL" });
  expect(JSON.stringify(details)).not.toContain("hunter2");
});

it.each([
  ["DELETE", "/api/tasks", "GET"],
  ["GET", "/api/apps/demo/install", "POST"],
  ["PUT", "/api/apps/demo", "GET"],
])("%s %s is HTTP_METHOD_NOT_ALLOWED, with what is allowed", async (method, path, allowed) => {
  const response = await createHttpApp(served.engine).request(path, { method });
  expect(response.status).toBe(405);
  expect(response.headers.get("allow")).toBe(allowed);
  expect(await response.json()).toMatchObject({ status: 405, code: "HTTP_METHOD_NOT_ALLOWED" });
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
