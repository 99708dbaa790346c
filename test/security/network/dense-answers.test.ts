/** An app may send what is slow to parse: it takes its own run's time, and no turn of the engine's. */
import { Worker } from "node:worker_threads";
import { expect, it, onTestFinished } from "vitest";
import { openNetwork } from "../../../src/adapters/network-policy/open-network.ts";
import { SLOWNESS } from "../../support/slowness.ts";

/** Ms of CPU no hostile script holds the thread for. */
const TURN_CPU_MS = 50 * SLOWNESS;
/** Ms of CPU the thread is watched for: a score of turns that take too long, however busy the machine is. */
const WATCHED_CPU_MS = 1_000;
/** Of eight runs: each may have eight. */
const CONNECTIONS = 64;

const CHUNKED = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";

/** A server in a thread of its own that answers every connection with a head and then this text, for ever. */
async function startEndless(head: string, text: string): Promise<number> {
  const code = `
    const { parentPort, workerData: { head, text } } = require("node:worker_threads");
    const block = Buffer.from(text.repeat(Math.ceil(100_000 / text.length)));
    const server = require("node:net").createServer((socket) => {
      const more = () => { while (!socket.destroyed && socket.write(block)); };
      socket.on("error", () => {}).on("drain", more).once("data", () => { socket.write(head); more(); });
    });
    server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port));`;
  const worker = new Worker(code, { eval: true, workerData: { head, text } });
  onTestFinished(async () => void (await worker.terminate()));
  return new Promise((resolve) => worker.once("message", resolve));
}

it.each([
  ["heads that never come to an end", "", "HTTP/1.1 103 Early Hints\r\n\r\n"],
  ["chunks of one byte", CHUNKED, "1\r\nx\r\n"],
  ["chunks of one byte with an extension", CHUNKED, "1;a=b\r\nx\r\n"],
  ["one chunk extension without end", `${CHUNKED}1;`, "a"],
])("%s hold the thread for a few ms at a time", async (_, head, text) => {
  const port = await startEndless(head, text);
  const session = openNetwork(
    {
      policy: { lanIp: "127.0.0.1", lanPorts: async () => [port], internet: false, readOnly: false },
      loopback: true,
      responseBytes: 16 * 1024 * 1024,
      audit: () => {},
    },
    { resolve: async () => [], ownAddresses: () => [], ownPorts: () => [] },
  );
  onTestFinished(() => session.close());
  const controller = new AbortController();
  const request = {
    method: "GET",
    url: `http://127.0.0.1:${port}/`,
    headers: [],
    redirect: "follow",
    body: null,
  } as const;
  const answers = Array.from({ length: CONNECTIONS }, () => session.fetch(request, controller.signal));

  const turns: number[] = [];
  let before = threadCpuMs();
  const end = before + WATCHED_CPU_MS;
  while (before < end) {
    await new Promise((resolve) => setImmediate(resolve));
    const now = threadCpuMs();
    turns.push(now - before);
    before = now;
  }
  controller.abort();
  await Promise.all(answers);
  turns.sort((a, b) => b - a);
  // The first few are the compiler's and the garbage collector's.
  expect(turns[5]).toBeLessThan(TURN_CPU_MS);
});

function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
