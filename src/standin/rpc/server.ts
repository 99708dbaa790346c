import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { Duplex } from "node:stream";
import { WebSocketServer } from "ws";
import { createListenError } from "../../core/codes/common-errors.ts";
import type { HostGeneration } from "../settings.ts";
import { Session, type SessionSurroundings } from "./session.ts";

/** Versions each generation offers at `/api/versions`, newest last; the last is its own. */
const VERSIONS: Readonly<Record<HostGeneration, readonly string[]>> = {
  "25.04": ["v25.04.0", "v25.04.1", "v25.04.2"],
  "25.10": ["v25.04.0", "v25.04.1", "v25.04.2", "v25.10.0", "v25.10.1", "v25.10.2", "v25.10.3", "v25.10.4", "v25.10.5"],
  "26.0": ["v25.04.2", "v25.10.0", "v25.10.1", "v25.10.2", "v25.10.3", "v25.10.4", "v25.10.5", "v26.0.0"],
  "27.0": ["v25.10.0", "v25.10.1", "v25.10.2", "v25.10.3", "v25.10.4", "v25.10.5", "v26.0.0", "v27.0.0"],
};

/** Bytes above which the socket library itself refuses a frame; the host's own limits are lower. */
const FRAME_CEILING = 1024 * 1024;

interface ServerOptions {
  readonly around: SessionSurroundings;
  readonly listen: { readonly address: string; readonly port: number };
  readonly tls?: { readonly cert: string; readonly key: string };
  /** Answers requests that are not the host's API; false when the path is unknown. */
  control(request: IncomingMessage, response: ServerResponse): boolean;
}

/** The listening API. */
export interface ApiServer {
  readonly address: string;
  readonly port: number;
  clients(): number;
  /** Cuts every connection. */
  dropAll(): void;
  close(): Promise<void>;
}

/** Serves `/api/current`, the pinned versions, `/api/versions` and `/api/boot_id` on one socket. */
export async function serveApi(options: ServerOptions): Promise<ApiServer> {
  const server = new SocketServer(options);
  await server.listen();
  return server;
}

class SocketServer implements ApiServer {
  readonly #options: ServerOptions;
  readonly #versions: readonly string[];
  readonly #sessions = new Set<Session>();
  readonly #sockets = new WebSocketServer({ noServer: true, maxPayload: FRAME_CEILING });
  readonly #server: Server;

  constructor(options: ServerOptions) {
    this.#options = options;
    this.#versions = VERSIONS[options.around.world.generation];
    const onRequest = (request: IncomingMessage, response: ServerResponse) => this.#answer(request, response);
    this.#server = options.tls === undefined ? createHttpServer(onRequest) : createHttpsServer(options.tls, onRequest);
    this.#server.on("upgrade", (request, socket, head) => this.#upgrade(request, socket, head));
  }

  get address(): string {
    return this.#options.listen.address;
  }

  get port(): number {
    const bound = this.#server.address();
    if (bound === null || typeof bound === "string") throw new Error("the API socket has no port");
    return bound.port;
  }

  clients(): number {
    return this.#sessions.size;
  }

  dropAll(): void {
    for (const session of this.#sessions) session.drop();
  }

  /** Rejects with `HTTP_LISTEN_FAILED`. */
  listen(): Promise<void> {
    const { listen } = this.#options;
    return new Promise((resolve, reject) => {
      this.#server.once("error", (error) => reject(createListenError(listen, error)));
      this.#server.listen({ host: listen.address, port: listen.port }, resolve);
    });
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.dropAll();
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const facts: Readonly<Record<string, unknown>> = {
      "/api/versions": this.#versions,
      "/api/boot_id": this.#options.around.world.state.bootId,
    };
    const fact = request.method === "GET" ? facts[request.url ?? ""] : undefined;
    if (fact !== undefined) {
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(fact));
    } else if (!this.#options.control(request, response)) {
      response.writeHead(404).end();
    }
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const version = /^\/api\/(current|v[\d.]+)$/.exec(request.url ?? "")?.[1];
    if (version === undefined || (version !== "current" && !this.#versions.includes(version))) {
      socket.end("HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
      return;
    }
    this.#sockets.handleUpgrade(request, socket, head, (client) => {
      const { around } = this.#options;
      if (around.world.faults.take("access-refused")) {
        client.close(1008, "You are not allowed to access this resource");
        return;
      }
      const own = this.#versions.at(-1) ?? "";
      const spoken = version === "current" ? own : version;
      const session = new Session(around, client, {
        address: request.socket.remoteAddress ?? "",
        agent: request.headers["user-agent"] ?? null,
        version: spoken,
        olderVersion: spoken !== own,
      });
      this.#sessions.add(session);
      client.on("close", () => this.#sessions.delete(session));
    });
  }
}
