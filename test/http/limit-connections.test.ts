/** Whoever opens connections takes them from nobody else, and no descriptor from the engine. */
import { EventEmitter, once } from "node:events";
import { createServer } from "node:http";
import { connect, type Socket } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { limitConnections } from "../../src/http/limit-connections.ts";

async function listen(limits: Parameters<typeof limitConnections>[1]) {
  const server = createServer((_, response) => response.end("ok"));
  const taken: Socket[] = [];
  server.on("connection", (socket) => taken.push(socket));
  const letIn = limitConnections(server, limits);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close().closeAllConnections());
  const bound = server.address();
  const port = typeof bound === "object" ? (bound?.port ?? 0) : 0;
  /** Connects from an address; answers with the connection where the server says something to it. */
  const ask = async (from: string): Promise<Socket | null> => {
    const socket = connect({ port, host: "127.0.0.1", localAddress: from });
    onTestFinished(() => void socket.destroy());
    socket.on("error", () => {});
    socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    const [heard] = await Promise.race([once(socket, "data"), once(socket, "close").then(() => [null])]);
    return heard === null ? null : socket;
  };
  /** Closes the first connection, and waits until the server knows it. */
  const closeFirst = async () => {
    const [first] = taken;
    first?.destroy();
    if (first !== undefined) await once(first, "close");
  };
  return { ask, closeFirst, letIn };
}

it("an address has so many connections, and others have theirs", async () => {
  const { ask, closeFirst } = await listen({ all: 100, ofAddress: 2 });
  expect([await ask("127.0.0.1"), await ask("127.0.0.1"), await ask("127.0.0.2")]).not.toContain(null);
  expect(await ask("127.0.0.1")).toBeNull();
  await closeFirst();
  expect(await ask("127.0.0.1")).not.toBeNull();
  expect(await ask("127.0.0.1")).toBeNull();
});

it("an address has few until a request of it was let in, and takes them from no other", async () => {
  const { ask, letIn } = await listen({ all: 100, ofAddress: 3, ofStranger: 1 });
  expect(await ask("127.0.0.1")).not.toBeNull();
  expect([await ask("127.0.0.1"), await ask("127.0.0.1")]).toEqual([null, null]);
  letIn("127.0.0.1");
  expect([await ask("127.0.0.1"), await ask("127.0.0.1")]).not.toContain(null);
  expect(await ask("127.0.0.1")).toBeNull();
  expect(await ask("127.0.0.2")).not.toBeNull();
  expect(await ask("127.0.0.2")).toBeNull();
});

it("strangers leave a share to addresses that were let in, however many they are", async () => {
  const { ask, closeFirst, letIn } = await listen({ all: 100, ofAddress: 2, ofStranger: 1, ofStrangers: 2 });
  expect([await ask("127.0.0.1"), await ask("127.0.0.2")]).not.toContain(null);
  expect([await ask("127.0.0.3"), await ask("127.0.0.4")]).toEqual([null, null]);
  letIn("127.0.0.3");
  expect(await ask("127.0.0.3")).not.toBeNull();
  // Connections of an address that is let in leave the share of strangers.
  letIn("127.0.0.1");
  expect(await ask("127.0.0.4")).not.toBeNull();
  expect(await ask("127.0.0.5")).toBeNull();
  await closeFirst();
  expect(await ask("127.0.0.5")).toBeNull();
});

it("all of them together have so many", async () => {
  const { ask } = await listen({ all: 2, ofAddress: 2 });
  expect([await ask("127.0.0.1"), await ask("127.0.0.2")]).not.toContain(null);
  expect(await ask("127.0.0.3")).toBeNull();
});

it("of IPv6 an address takes none from the others of its network, which has those of ten", async () => {
  const server = createServer();
  const letIn = limitConnections(server, { all: 100, ofAddress: 3, ofStranger: 1 });
  /** A connection from an address; whether it stays. */
  const come = (remoteAddress: string) => {
    const socket = Object.assign(new EventEmitter(), { remoteAddress, isOpen: true, destroy: () => {} });
    socket.destroy = () => {
      socket.isOpen = false;
      socket.emit("close");
    };
    server.emit("connection", socket);
    return socket;
  };
  const ofOne = Array.from({ length: 20 }, () => come("fe80::a%eth0"));
  expect(ofOne.map(({ isOpen }) => isOpen)).toEqual([true, ...Array(19).fill(false)]);
  const others = Array.from({ length: 9 }, (_, at) => come(`fe80::${at}`));
  expect(others.every(({ isOpen }) => isOpen)).toBe(true);
  expect([come("fe80::b").isOpen, come("fd00::b").isOpen]).toEqual([false, true]);
  letIn("fe80::c");
  expect([come("fe80::c").isOpen, come("fe80::b").isOpen]).toEqual([true, false]);
  // One that was let in is counted as itself alone: its network has its ten times used up.
  expect([come("fe80::c").isOpen, come("fe80::c").isOpen, come("fe80::c").isOpen]).toEqual([true, true, false]);
  for (const { destroy } of others) destroy();
  expect([come("fe80::b").isOpen, come("fe80::b").isOpen]).toEqual([true, false]);
});
