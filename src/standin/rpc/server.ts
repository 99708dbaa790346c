import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { WebSocketServer } from "ws";
import { EngineError } from "../../core/codes/problems.ts";
import type { HostGeneration } from "../settings.ts";
import { Session, type SessionSurroundings } from "./session.ts";

/** Versions each generation offers at `/api/versions`, newest last; the last is its own. */
const VERSIONS: Readonly<Record<HostGeneration, readonly string[]>> = {
  "25.04": ["v25.04.0", "v25.04.1", "v25.04.2"],
  "25.10": ["v25.04.0", "v25.04.1", "v25.04.2", "v25.10.0", "v25.10.1", "v25.10.2", "v25.10.3", "v25.10.4", "v25.10.5"],
  "26.0": ["v25.04.2", "v25.10.0", "v25.10.1", "v25.10.2", "v25.10.3", "v25.10.4", "v25.10.5", "v26.0.0"],
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
  const { around, listen, tls } = options;
  const versions = VERSIONS[around.world.generation];
  const sessions = new Set<Session>();
  const sockets = new WebSocketServer({ noServer: true, maxPayload: FRAME_CEILING });
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    const facts: Readonly<Record<string, unknown>> = {
      "/api/versions": versions,
      "/api/boot_id": around.world.state.bootId,
    };
    const fact = request.method === "GET" ? facts[request.url ?? ""] : undefined;
    if (fact !== undefined) {
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(fact));
    } else if (!options.control(request, response)) {
      response.writeHead(404).end();
    }
  };
  const server: Server = tls === undefined ? createHttpServer(onRequest) : createHttpsServer(tls, onRequest);
  server.on("upgrade", (request, socket, head) => {
    const version = /^\/api\/(current|v[\d.]+)$/.exec(request.url ?? "")?.[1];
    if (version === undefined || (version !== "current" && !versions.includes(version))) {
      socket.end("HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
      return;
    }
    sockets.handleUpgrade(request, socket, head, (client) => {
      if (around.world.faults.take("access-refused")) {
        client.close(1008, "You are not allowed to access this resource");
        return;
      }
      const session = new Session(around, client, {
        address: request.socket.remoteAddress ?? "",
        olderVersion: version !== "current" && version !== versions.at(-1),
      });
      sessions.add(session);
      client.on("close", () => {
        sessions.delete(session);
      });
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => {
      const at = `${listen.address}:${listen.port}`;
      reject(new EngineError("HTTP_LISTEN_FAILED", `can't listen on ${at}: ${error.message}`, {}, error));
    });
    server.listen({ host: listen.address, port: listen.port }, resolve);
  });
  const bound = server.address();
  if (bound === null || typeof bound === "string") throw new Error("the API socket has no port");
  const dropAll = (): void => {
    for (const session of sessions) session.drop();
  };
  return {
    address: listen.address,
    port: bound.port,
    clients: () => sessions.size,
    dropAll,
    close: () =>
      new Promise((resolve) => {
        dropAll();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
