/**
 * `npm run inspect -- DB [--port PORT]`: the runs in a database, live or finished, in the inspector protocol of
 * `@statelyai/inspect` on ws://127.0.0.1:PORT (default 8080), and in a page of our own on http://127.0.0.1:PORT that
 * needs no internet. Ends with SIGINT.
 */
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import { parseArgs } from "node:util";
import { type WebSocket, WebSocketServer } from "ws";
import { machines } from "../machines/index.ts";
import { openReader } from "../src/adapters/store-sqlite/open-store.ts";
import { createInspection } from "../src/engine/replay/inspection.ts";

const POLL_MS = 250;
const PAGE = 500;

const { values, positionals } = parseArgs({
  options: { port: { type: "string", default: "8080" } },
  allowPositionals: true,
});
const [db] = positionals;
if (db === undefined) {
  process.stderr.write("usage: npm run inspect -- DB [--port PORT]\n");
  process.exit(2);
}
const port = Number(values.port);
const page = readFileSync(new URL("inspect.html", import.meta.url));
const reads = openReader(db);
const sockets = new Map<WebSocket, () => void>();

const http = createServer((_request, response) => {
  response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(page);
});
/** A web page elsewhere must not read the log of this machine; Stately's inspector may. */
const origins = new Set([undefined, "https://stately.ai", `http://127.0.0.1:${port}`, `http://localhost:${port}`]);
const relay = new WebSocketServer({
  server: http,
  verifyClient: ({ req }: { req: IncomingMessage }) => origins.has(req.headers.origin),
});

relay.on("connection", (socket) => {
  const translate = createInspection(reads, machines);
  let seq = 0;
  sockets.set(socket, () => {
    for (;;) {
      const logged = reads.logAfter(seq, PAGE);
      for (const event of translate(logged)) socket.send(JSON.stringify(event));
      const last = logged.at(-1);
      if (last === undefined) return;
      seq = last.seq;
    }
  });
  sockets.get(socket)?.();
  socket.on("close", () => sockets.delete(socket));
});

const poll = setInterval(() => {
  for (const send of sockets.values()) send();
}, POLL_MS);

http.listen(port, "127.0.0.1", () => {
  const address = http.address();
  const bound = typeof address === "object" && address !== null ? address.port : port;
  for (const host of ["127.0.0.1", "localhost"]) origins.add(`http://${host}:${bound}`);
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${bound}`, relay: `ws://127.0.0.1:${bound}` })}\n`);
});

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    clearInterval(poll);
    for (const socket of sockets.keys()) socket.terminate();
    relay.close();
    http.close(() => reads.close());
  });
}
