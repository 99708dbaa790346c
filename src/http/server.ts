import { randomUUID } from "node:crypto";
import { Server } from "node:http";
import { type Http2Bindings, type HttpBindings, serve } from "@hono/node-server";
import type { ErrorStatus } from "../core/codes/row.ts";
import type { Engine } from "../engine/api.ts";
import type { Logger } from "../engine/ports/environment.ts";
import { createHarmlessLogger } from "../engine/system/harmless-logger.ts";
import { nameListeningPort } from "../engine/system/listening-ports.ts";
import { createHttpApp } from "./app.ts";
import { READS } from "./foreign-pages.ts";
import { createGuard, readClientAddress } from "./guard.ts";
import { limitConnections } from "./limit-connections.ts";
import { nameCaller } from "./name-caller.ts";
import { type OpenedPage, openPage } from "./page.ts";
import { findPageFolder } from "./page-files.ts";
import { createProblemResponse } from "./problem-details.ts";
import { Caller } from "./schemas/system/sessions.ts";
import { awaitListening, nameServer, refuseOpenAddress } from "./server-address.ts";
import { Sessions } from "./sessions.ts";

export interface HttpServerOptions {
  /** Address to bind, e.g. `127.0.0.1`. */
  readonly address: string;
  /** 0 takes a free port. */
  readonly port: number;
  /** Required on any address beyond loopback. */
  readonly token?: string;
  /** Name of the cookie of browsers that have shown the token; two servers of one machine need two. Default: `slipway_session`. */
  readonly sessionCookie?: string;
  readonly allowedHosts?: readonly string[];
  readonly trustProxy?: boolean;
  readonly logger: Logger;
  /** Ms between two heartbeats of an event stream (15,000). */
  readonly heartbeatMs?: number;
  /** Ms a request may take to arrive whole (30,000): slow senders are cut off. */
  readonly requestTimeoutMs?: number;
  /** Folder of the built page, shown at `/`. Default: the package's own; where it is not built, the interface stands alone. */
  readonly pageFiles?: string;
}

export interface HttpServer {
  /** Base address, e.g. `http://127.0.0.1:8080`. */
  readonly url: string;
  /** Ends event streams, lets running requests answer, then closes every connection. The engine is the caller's. */
  close(): Promise<void>;
}

const REQUEST_TIMEOUT_MS = 30_000;
/** Ms running requests get to answer when the server closes. */
const CLOSE_GRACE_MS = 2_000;
/** Headers of refusals (RFC 9110, section 11.6.1; RFC 6585, section 4). */
const REFUSAL_HEADERS: Partial<Record<ErrorStatus, Readonly<Record<string, string>>>> = {
  401: { "www-authenticate": "Bearer" },
  429: { "retry-after": "1" },
};
/** Where a browser without a token sends one. */
const SESSION_PATH = "/api/session";
/** Where a client goes on hearing after its request was let in. */
const STREAM_PATH = "/api/events";
/** Open connections, with room for the streams there may be; and of one address, where that is not a proxy's. */
const CONNECTIONS = 4_000;
const CONNECTIONS_OF_ADDRESS = 2_500;
const RATE = { burst: 120, perSecond: 20 };

/**
 * Serves the engine over HTTP. Throws `HTTP_TOKEN_REQUIRED` for an address beyond loopback without a token and
 * `HTTP_LISTEN_FAILED` where the address can't be bound (docs/decisions.md, section 8).
 */
export async function startHttpServer(engine: Engine, options: HttpServerOptions): Promise<HttpServer> {
  const { address } = options;
  const logger = createHarmlessLogger(options.logger);
  refuseOpenAddress(address, options.token);
  const requestTimeout = options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS;
  const closing = new AbortController();
  const trustProxy = options.trustProxy ?? false;
  const sessions =
    options.token === undefined
      ? undefined
      : new Sessions({
          token: options.token,
          now: () => Date.now(),
          monotonic: () => performance.now(),
          createId: randomUUID,
          ...(options.sessionCookie !== undefined && { cookieName: options.sessionCookie }),
        });
  const app = createHttpApp(engine, {
    closing: closing.signal,
    actor: (request, env) => nameCaller(request, Caller.parse(env).client, sessions),
    ...(sessions && { sessions }),
    onHiddenError: (error, id) => logger.error({ id, error }, "a request failed inside the server"),
    ...(options.heartbeatMs !== undefined && { heartbeatMs: options.heartbeatMs }),
  });
  const page = showPage(options.pageFiles, logger);
  const guard = createGuard({
    token: options.token ?? null,
    allowedHosts: options.allowedHosts ?? [],
    trustProxy,
    rate: RATE,
    now: () => performance.now(),
    hasSession: (cookies, client) => sessions?.isOpen(cookies, client) ?? false,
    isPublic: (method, path) =>
      path === SESSION_PATH
        ? method === "POST" || method === "DELETE"
        : READS.has(method) && page?.classify(path) !== undefined,
    isDocument: (path) => page?.classify(path) === "document",
  });

  // Request id and guard stand before the app: anything touching the response after a route halves its rate.
  const respond = (
    request: Request,
    { incoming, outgoing }: HttpBindings | Http2Bindings,
  ): Response | Promise<Response> => {
    const id = randomUUID();
    outgoing.setHeader("x-request-id", id);
    // A name somebody chose is never taken for a page, whatever stands in it.
    outgoing.setHeader("x-content-type-options", "nosniff");
    const { host, origin, authorization, cookie: cookies } = incoming.headers;
    const { "sec-fetch-site": fetchSite, "x-forwarded-for": forwarded, "x-forwarded-proto": proto } = incoming.headers;
    const forwardedFor = Array.isArray(forwarded) ? forwarded.join(",") : forwarded;
    const remoteAddress = incoming.socket.remoteAddress ?? "";
    const refusal = guard({
      method: request.method,
      path: readPath(request),
      host,
      origin,
      fetchSite: Array.isArray(fetchSite) ? fetchSite.join() : fetchSite,
      authorization,
      cookies,
      forwardedFor,
      remoteAddress,
    });
    if (refusal !== null) {
      logger.warn({ id, method: request.method, path: readPath(request), code: refusal.code }, "request refused");
      return createProblemResponse(refusal, REFUSAL_HEADERS[refusal.status]);
    }
    if (page?.classify(readPath(request)) !== undefined) return page.app.fetch(request);
    // Reads are not logged: a tile asks every few seconds. The path alone is: a query may hold names of files.
    if (request.method !== "GET") logger.info({ id, method: request.method, path: readPath(request) }, "request");
    const client = readClientAddress({ forwardedFor, remoteAddress }, trustProxy);
    if (sessions !== undefined && readPath(request) === STREAM_PATH && !outgoing.destroyed) {
      outgoing.once(
        "close",
        sessions.endWith(cookies, client, () => outgoing.destroy()),
      );
    }
    return app.fetch(request, { requestId: id, client, isSecure: trustProxy && proto === "https" });
  };

  const served = serve({
    hostname: address,
    port: options.port,
    serverOptions: {
      requestTimeout,
      headersTimeout: requestTimeout,
      connectionsCheckingInterval: Math.ceil(requestTimeout / 10),
    },
    fetch: (request, bindings) => {
      const preparing = sessions?.prepare(bindings.incoming.headers.cookie) ?? null;
      return preparing === null ? respond(request, bindings) : preparing.then(() => respond(request, bindings));
    },
  });
  if (!(served instanceof Server)) throw new Error("the adapter served no HTTP/1.1");
  const server = served;
  limitConnections(server, { all: CONNECTIONS, ofAddress: trustProxy ? CONNECTIONS : CONNECTIONS_OF_ADDRESS });

  const port = await awaitListening(server, options);
  const unname = nameListeningPort(port);
  return {
    url: nameServer({ address, port }),
    close: async () => {
      closing.abort();
      server.once("close", unname);
      await new Promise<void>((resolve) => {
        const cut = setTimeout(() => server.closeAllConnections(), CLOSE_GRACE_MS);
        server.close(() => {
          clearTimeout(cut);
          resolve();
        });
        server.closeIdleConnections();
      });
    },
  };
}

/** The page, where it is built. */
function showPage(files: string | undefined, logger: Logger): OpenedPage | undefined {
  const folder = findPageFolder(files);
  if (folder !== undefined) return openPage({ files: folder });
  logger.info({}, "the page is not built (npm run build:web): the interface stands alone");
  return undefined;
}

function readPath(request: Request): string {
  return new URL(request.url).pathname;
}
