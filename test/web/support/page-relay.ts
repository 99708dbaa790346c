/** What may stand between a browser and the engine: it goes away and comes back, cuts streams, or holds them back. */
import { request as ask, createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface PageRelay {
  /** `http://127.0.0.1:PORT`. */
  readonly url: string;
  /** `METHOD /path?query` of every request that came, in order. */
  readonly requests: readonly string[];
  /** Every connection ends, and no other is answered. */
  goAway(): void;
  comeBack(): void;
  /** Cuts the streams that are open. */
  cutStreams(): void;
  /** Whether what a stream says is held back for ever, as by a proxy that buffers. */
  holdsBack: boolean;
  /** Answered in the engine's place to paths for which it gives a status. */
  refuses: (path: string) => number | undefined;
  close(): void;
}

/** Relays on a free loopback port to `target`, `http://127.0.0.1:PORT`. */
export async function startPageRelay(target: string): Promise<PageRelay> {
  const requests: string[] = [];
  const streams = new Set<ServerResponse>();
  let isAway = false;
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    response.on("error", () => {});
    if (isAway) return void request.socket.destroy();
    const status = relay.refuses(request.url ?? "");
    if (status !== undefined) return void response.writeHead(status).end();
    if (request.url?.startsWith("/api/events")) {
      streams.add(response);
      response.on("close", () => streams.delete(response));
    }
    pass(target, request, response, () => relay.holdsBack);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const relay: PageRelay = {
    url: `http://127.0.0.1:${readPort(server.address())}`,
    requests,
    goAway: () => {
      isAway = true;
      server.closeAllConnections();
    },
    comeBack: () => {
      isAway = false;
    },
    cutStreams: () => {
      for (const stream of streams) stream.destroy();
    },
    holdsBack: false,
    refuses: () => undefined,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return relay;
}

function pass(target: string, request: IncomingMessage, response: ServerResponse, holdsBack: () => boolean): void {
  const { host } = new URL(target);
  const { origin, ...headers } = request.headers;
  const passed = { ...headers, host, ...(origin !== undefined && { origin: target }) };
  const asked = ask(`${target}${request.url}`, { method: request.method, headers: passed }, (answer) => {
    if (holdsBack() && request.url?.startsWith("/api/events")) return void answer.resume();
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  asked.on("error", () => response.destroy());
  response.on("close", () => asked.destroy());
  request.pipe(asked);
}

function readPort(bound: AddressInfo | string | null): number {
  if (bound === null || typeof bound === "string") throw new Error("the relay has no port");
  return bound.port;
}
