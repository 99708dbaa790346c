/** Calls whose answer is none of the engine's: each is a refusal with a code, whatever became of it on its way. */
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { ApiError, call, readRefusal } from "../../src/web/api/client.ts";
import { startLoopbackServer } from "../support/host/loopback-server.ts";

describe("a call", () => {
  const serve = async (answer: Parameters<typeof startLoopbackServer>[0]) => {
    const { url, close } = await startLoopbackServer(answer);
    onTestFinished(close);
    return url;
  };

  it("is refused as unreachable where the engine is killed in the middle of its answer", async () => {
    const api = await serve((_, response) => {
      response.writeHead(200, { "content-type": "application/json", "content-length": "100" });
      response.write('{"tasks":[', () => response.destroy());
    });
    await expect(call(api, "/tasks")).rejects.toMatchObject({ name: "ApiError", code: "UNREACHABLE", status: 0 });
  });

  it("is refused as unreachable where something before the engine answers with a page of its own", async () => {
    const api = await serve((_, response) => {
      response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>Log in</title>");
    });
    await expect(call(api, "/tasks")).rejects.toMatchObject({ name: "ApiError", code: "UNREACHABLE", status: 0 });
  });

  it("has no body where the engine answers with none", async () => {
    const api = await serve((_, response) => {
      response.writeHead(204).end();
    });
    expect(await call(api, "/session", { method: "DELETE" })).toBeUndefined();
  });

  it("ends with the abort of whoever asked, which is no refusal", async () => {
    const asking = new AbortController();
    const api = await serve((_, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.write("[", () => asking.abort());
    });
    await expect(call(api, "/tasks", { signal: asking.signal })).rejects.toMatchObject({ name: "AbortError" });
  });

  it("ends with the abort where its whole answer is there already", async () => {
    const asking = new AbortController();
    const api = await serve((_, response) => response.writeHead(409).end("{}"));
    const { fetch } = globalThis;
    const reads = vi.spyOn(globalThis, "fetch").mockImplementation(async (...request) => {
      const response = await fetch(...request);
      const body = await response.text();
      const abort = async () => {
        asking.abort();
        return body;
      };
      return Object.assign(new Response(body, response), { text: abort });
    });
    await expect(call(api, "/tasks", { signal: asking.signal })).rejects.toMatchObject({ name: "AbortError" });
    reads.mockRestore();
  });
});

describe("what went wrong", () => {
  it("is a refusal to show, nothing for whoever went away, and else a fault of the page", () => {
    const refusal = new ApiError(0, undefined, "away");
    expect(readRefusal(refusal)).toBe(refusal);
    expect(readRefusal(new DOMException("moved", "AbortError"))).toBeUndefined();
    expect(() => readRefusal(new TypeError("x is undefined"))).toThrow("x is undefined");
  });
});
