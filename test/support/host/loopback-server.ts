import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";

export interface LoopbackServer {
  readonly port: number;
  /** `http://ADDRESS:PORT`. */
  readonly url: string;
  /** `METHOD /path` of every request, in order. */
  readonly requests: readonly string[];
  /** Connections so far. */
  connections(): number;
  close(): Promise<void>;
}

/** A port that was free a moment ago. */
export async function freePort(address = "127.0.0.1"): Promise<number> {
  const server = await startLoopbackServer(undefined, address);
  await server.close();
  return server.port;
}

/** An HTTP server on loopback that remembers what it was asked; `wanted` names its port. */
export async function startLoopbackServer(
  answer: (request: IncomingMessage, response: ServerResponse) => void = (_, response) => response.end("ok"),
  address = "127.0.0.1",
  wanted = 0,
): Promise<LoopbackServer> {
  const requests: string[] = [];
  let connections = 0;
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    response.on("error", () => {});
    answer(request, response);
  });
  server.on("connection", () => connections++);
  const port = await listen(server, address, wanted);
  return {
    port,
    url: `http://${address}:${port}`,
    requests,
    connections: () => connections,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function listen(server: Server, address: string, wanted: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(wanted, address, () => {
      const bound = server.address();
      if (bound === null || typeof bound === "string") reject(new Error("the server has no port"));
      else resolve(bound.port);
    });
  });
}
