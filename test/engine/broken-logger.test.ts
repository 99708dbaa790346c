import { afterAll, beforeAll, expect, test } from "vitest";
import { Task } from "../../src/http/schemas/tasks.ts";
import { startHttpServer } from "../../src/http/server.ts";
import { openStandinEngine, type StandinEngine } from "../support/engine/standin-engine.ts";

const broken = () => {
  throw new Error("this logger is broken");
};
const rejecting = async () => broken();
const logger = { debug: broken, info: rejecting, warn: broken, error: rejecting };
const unhandled: unknown[] = [];
const note = (reason: unknown) => void unhandled.push(reason);

let opened: StandinEngine;
beforeAll(async () => {
  process.on("unhandledRejection", note);
  opened = await openStandinEngine(["shop"], { logger, allowWeakSandbox: true });
});
afterAll(async () => {
  await opened.close();
  process.off("unhandledRejection", note);
});

test("a logger that throws or rejects harms nobody: an app is installed, served and shown", async () => {
  const { engine } = opened;
  const server = await startHttpServer(engine, { address: "127.0.0.1", port: 0, logger });
  const response = await fetch(`${server.url}/api/apps/shop/install`, { method: "POST" });
  const { id } = Task.parse(await response.json());
  expect((await engine.settled(id)).state).toBe("COMPLETED");
  expect((await fetch(`${server.url}/api/apps`)).status).toBe(200);
  await server.close();
  await opened.close();
  expect(unhandled).toEqual([]);
});
