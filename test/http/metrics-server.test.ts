/** Whoever reads metrics can keep neither the engine busy nor another reader out. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { startMetricsServer } from "../../src/http/metrics-server.ts";

const logger = { debug() {}, info() {}, warn() {}, error() {} };
const READ = "GET /metrics HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";

async function serve() {
  const server = await startMetricsServer({ address: "127.0.0.1", port: 0, logger });
  onTestFinished(() => server.close());
  let collected = 0;
  const gauge = server.meterProvider.getMeter("test").createObservableGauge("seen");
  gauge.addCallback((result) => {
    collected += 1;
    result.observe(1);
  });
  const open = (from = "127.0.0.1"): Socket => {
    const socket = connect({ port: Number(new URL(server.url).port), host: "127.0.0.1", localAddress: from });
    onTestFinished(() => void socket.destroy());
    return socket.on("error", () => {});
  };
  /** What a connection is told until it is closed. */
  const ask = async (socket: Socket, text: string): Promise<string> => {
    let heard = "";
    socket.on("data", (chunk) => {
      heard += String(chunk);
    });
    socket.write(text);
    await once(socket, "close");
    return heard;
  };
  return { open, ask, collected: () => collected };
}

it("a connection is for one request, however many are sent at once", async () => {
  const { open, ask, collected } = await serve();
  expect(await ask(open(), READ)).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*seen 1/);
  for (const text of [READ, READ.replace("1.1", "1.0").replace("Host", "Connection: keep-alive\r\nHost")])
    await ask(open(), text.repeat(500));
  expect(collected()).toBeLessThanOrEqual(3);
});

it("an address that says nothing on its connections takes none of others", async () => {
  const { open, ask } = await serve();
  const silent = Array.from({ length: 80 }, () => open());
  await expect.poll(() => silent.filter(({ closed }) => closed).length).toBeGreaterThan(0);
  expect(await ask(open("127.0.0.2"), READ)).toMatch(/^HTTP\/1\.1 200 OK/);
});
