/** The relay of `slipway inspect` beside the engine that writes, and a client that does not keep up. */
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { machines } from "../../machines/index.ts";
import { openReader } from "../../src/adapters/store-sqlite/open-store.ts";
import { startRelay } from "../../src/cli/inspect/relay.ts";
import { createTestFolder, createWorld } from "../support/engine/runtime-world.ts";

const TASKS = 400;
const MESSAGE = "long ".repeat(20_000);

describe("a client that reads slower than the relay", () => {
  test("has no more waiting than it is given, and gets all of it in the end", async () => {
    const folder = createTestFolder();
    const { runtime, close } = createWorld({
      folder: folder.path,
      registry: [{ ...machines["hook-task"], id: "hook-task" }, machines.checkpoint],
      handlers: {},
    });
    const input = { checkpoint: "c", message: MESSAGE };
    for (let at = 0; at < TASKS; at += 1)
      runtime.start({ machine: "checkpoint", input, kind: "update", appId: `shop-${at}` });
    await close();
    const store = openReader(join(folder.path, "slipway.db"));
    const last = store.lastSeq();
    const asked: number[] = [];
    const logAfter: typeof store.logAfter = (seq, ...rest) => {
      asked.push(seq);
      return store.logAfter(seq, ...rest);
    };
    const relay = await startRelay({ ...store, logAfter }, 0);
    const client = new WebSocket(relay.url);
    try {
      let received = 0;
      // As much as is asked for at once is asked for before the client can read a byte.
      const first = new Promise<number>((resolve) => client.once("message", () => resolve(Math.max(...asked))));
      client.on("message", () => {
        received += 1;
      });
      expect(await first).toBeLessThan(last);
      await expect.poll(() => received).toBe(TASKS);
    } finally {
      client.terminate();
      await relay.close();
      store.close();
      folder.remove();
    }
  });
});
