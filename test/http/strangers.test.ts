/** A neighbour without the token holds few connections of a server that asks for one, and none for long. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { expect } from "vitest";
import { SILENT_LOGGER } from "../../src/engine/system/silent-logger.ts";
import { startHttpServer } from "../../src/http/server.ts";
import { closeAfterTest, it, openWorld } from "../support/engine/engine-test.ts";

const TOKEN = "a-token-of-some-length";
const BEARER = `Authorization: Bearer ${TOKEN}\r\n`;

async function serve(requestTimeoutMs: number) {
  const { engine } = await openWorld({ catalog: { a: {} } });
  const options = {
    address: "127.0.0.1",
    port: 0,
    token: TOKEN,
    lockNonce: "a-nonce",
    logger: SILENT_LOGGER,
    requestTimeoutMs,
  };
  const server = await startHttpServer(engine, options);
  closeAfterTest(server);
  const port = Number(new URL(server.url).port);
  /** Connects from an address; closed when the test ends. */
  const open = (from: string): Socket => {
    const socket = connect({ port, host: "127.0.0.1", localAddress: from });
    socket.on("error", () => {});
    closeAfterTest({ close: async () => void socket.destroy() });
    return socket;
  };
  /** Asks on a connection of its own that stays open; answers with the status, or null where it is closed instead. */
  const ask = async (from: string, headers = ""): Promise<string | null> => {
    const socket = open(from);
    socket.write(`GET /api/tasks HTTP/1.1\r\nHost: 127.0.0.1\r\n${headers}\r\n`);
    return new Promise((resolve) => {
      socket.once("data", (heard) => resolve(/^HTTP\/1.1 (\d+)/.exec(String(heard))?.[1] ?? ""));
      socket.once("close", () => resolve(null));
    });
  };
  /** A connection on which a body is awaited: nothing closes it before the request's time is over. */
  const hold = async (from: string): Promise<Socket> => {
    const socket = open(from);
    await once(socket, "connect");
    socket.write("POST /api/session HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\n");
    return socket.resume();
  };
  return { open, ask, hold };
}

it("has 64 of an address, refused requests among them, and leaves others and whoever has the token theirs", async () => {
  const { open, ask } = await serve(30_000);
  expect(await ask("127.0.0.2")).toBe("401");
  const silent = Array.from({ length: 63 }, () => open("127.0.0.2"));
  await Promise.all(silent.map((socket) => once(socket, "connect")));
  expect([await ask("127.0.0.2"), await ask("127.0.0.2", BEARER)]).toEqual([null, null]);
  const many = async (from: string) => {
    const asked: (string | null)[] = [];
    for (let count = 0; count < 70; count += 1) asked.push(await ask(from, BEARER));
    return new Set(asked);
  };
  expect(await many("127.0.0.3")).toEqual(new Set(["200"]));
});

it("has no more of an address by what is open to everybody: the page, the proof and the log-in", async () => {
  const { open, hold, ask } = await serve(30_000);
  const socket = open("127.0.0.2");
  for (const path of ["/", `/api/identity?challenge=${"c".repeat(43)}`, "/api/session"]) {
    socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
    await once(socket, "data");
  }
  for (let count = 1; count < 64; count += 1) await hold("127.0.0.2");
  expect(await ask("127.0.0.2")).toBeNull();
});

it("is kept from no address that was let in, however many strangers come from however many addresses", async () => {
  const { hold, ask } = await serve(60_000);
  expect(await ask("127.0.0.9", BEARER)).toBe("200");
  const held: Socket[] = [];
  while (held.length < 1_400) held.push(await hold(`127.0.1.${Math.floor(held.length / 64) + 1}`));
  expect([await ask("127.0.0.8", BEARER), await ask("127.0.0.9", BEARER)]).toEqual([null, "200"]);
  expect(held.filter(({ closed }) => closed)).toEqual([]);
});

it("is closed where nothing is sent on it", async () => {
  const { open } = await serve(200);
  await once(open("127.0.0.2").resume(), "close");
});
