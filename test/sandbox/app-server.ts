/** A small real HTTP server in the place of an app: routes by method and path, requests kept. */
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** Text or bytes as they are, anything else as JSON. */
  readonly body?: unknown;
}

/** Keys are `METHOD /path`; `null` never answers. */
export type Routes = Readonly<Record<string, (request: Received) => Reply | null>>;

export interface AppServer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly received: readonly Received[];
}

/** Starts an app on a free port of 127.0.0.1; routes that do not exist answer 404. */
export async function startApp(routes: Routes): Promise<AppServer> {
  const received: Received[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const url = new URL(incoming.url ?? "/", "http://app");
    const request: Received = {
      method: incoming.method ?? "",
      path: url.pathname,
      query: url.searchParams,
      headers: incoming.headers,
      body: Buffer.concat(chunks),
    };
    received.push(request);
    const route = routes[`${request.method} ${request.path}`];
    const reply = route === undefined ? { status: 404, body: "no such route" } : route(request);
    if (reply === null) return;
    const { status = 200, headers = {}, body = "" } = reply;
    const plain = typeof body === "string" || Buffer.isBuffer(body);
    if (!plain) outgoing.setHeader("content-type", "application/json");
    for (const [name, value] of Object.entries(headers)) outgoing.setHeader(name, value);
    outgoing.writeHead(status).end(plain ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    received,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
