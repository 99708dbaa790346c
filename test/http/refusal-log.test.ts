/** Strangers fill no disk by being refused. */
import { expect } from "vitest";
import { SILENT_LOGGER } from "../../src/engine/system/silent-logger.ts";
import { startHttpServer } from "../../src/http/server.ts";
import { it, openWorld } from "../support/engine/engine-test.ts";

it("refused requests are counted, and logged twice a minute at the most for each reason", async () => {
  const lines: [Readonly<Record<string, unknown>>, string][] = [];
  const log = (fields: Readonly<Record<string, unknown>>, text: string) => void lines.push([fields, text]);
  const { engine } = await openWorld({ catalog: { a: {} } });
  const logger = { ...SILENT_LOGGER, info: log, warn: log };
  const server = await startHttpServer(engine, { address: "127.0.0.1", port: 0, token: "x".repeat(16), logger });
  lines.splice(0);
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
      },
      "request refused",
    ],
    [expect.objectContaining({ path: "/api/tasks", code: "HTTP_ORIGIN_REFUSED" }), "request refused"],
    [{ refused: { HTTP_UNAUTHORIZED: 199 } }, "more requests refused"],
  ]);
});
