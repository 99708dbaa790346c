import { randomBytes, randomUUID } from "node:crypto";
import { Server } from "node:http";
import type { Socket } from "node:net";
import { type Http2Bindings, type HttpBindings, serve } from "@hono/node-server";
import type { Code } from "../core/codes/code.ts";
import type { ErrorStatus } from "../core/codes/row.ts";
import { memoize } from "../core/plan/memoize.ts";
import type { Engine } from "../engine/api.ts";
import type { Logger } from "../engine/ports/environment.ts";
import { createSystemClock } from "../engine/system/clock.ts";
import { createHarmlessLogger } from "../engine/system/harmless-logger.ts";
import { nameListeningPort } from "../engine/system/listening-ports.ts";
import { createHttpApp } from "./app.ts";
import { readClient } from "./client-address.ts";
import { READS } from "./foreign-pages.ts";
import { createGuard } from "./guard.ts";
import { IDENTITY_ROUTE } from "./identity.ts";
import { KnownClients } from "./known-clients.ts";
import { limitConnections } from "./limit-connections.ts";
import { nameCaller } from "./name-caller.ts";
import { type OpenedPage, openPage } from "./page.ts";
import { findPageFolder } from "./page-files.ts";
import { createProblemResponse } from "./problem-details.ts";
import { cutPath, RefusalLog } from "./refusal-log.ts";
import { Caller } from "./schemas/system/sessions.ts";
import { awaitListening, nameServer, refuseOpenAddress } from "./server-address.ts";
import { type FoundSession, nameCookie, readShown, Sessions } from "./sessions.ts";

export interface HttpServerOptions {
  /** Address to bind, e.g. `127.0.0.1`. */
  readonly address: string;
  /** 0 takes a free port. */
  readonly port: number;
  /** Required on any address beyond loopback. */
  readonly token?: string;
  /**
   * Name of the cookie of browsers that have shown the token. Browsers keep one of a name for all ports of a host, so that two
   * servers need two. Default: `slipway_session_PORT`, with the port that was bound.
   */
  readonly sessionCookie?: string;
  /** Names beside IP addresses and `localhost` that may stand in the Host header. */
  readonly allowedHosts?: readonly string[];
  /**
   * Secret that a proxy sends as `x-slipway-proxy`. Beside it `X-Forwarded-For` and `X-Forwarded-Proto` are believed. Default:
   * they never are.
   */
  readonly proxySecret?: string;
  /**
   * Nonce in the lock file of the engine's database, for `GET /api/identity`. Default: the server proves nothing, and by
   * http the CLI sends it no token.
   */
  readonly lockNonce?: string;
  readonly logger: Logger;
  /** Ms between two heartbeats of an event stream (15,000). */
  readonly heartbeatMs?: number;
  /** Ms a request may take to arrive whole (30,000), its head 5,000 of them at most: slow senders are cut off. */
  readonly requestTimeoutMs?: number;
  /** Folder of the built page, shown at `/`. Default: the package's own; where it is not built, the interface stands alone. */
  readonly pageFiles?: string;
  /** The page shows the lines scripts write, for developers (`createPage`). Default: false. */
  readonly pageLogs?: boolean;
}

export interface HttpServer {
  /** Base address, e.g. `http://127.0.0.1:8080`. */
  readonly url: string;
  /** Ends event streams, lets running requests answer, then closes every connection. The engine is the caller's. */
  close(): Promise<void>;
}

const REQUEST_TIMEOUT_MS = 30_000;
const HEAD_TIMEOUT_MS = 5_000;
/** Bytes of a request's head: every page of this host can have its browser send many cookies along. */
const MAX_HEAD = 64 * 1024;
/** Ms running requests get to answer when the server closes. */
const CLOSE_GRACE_MS = 2_000;
/** Headers of refusals (RFC 9110, section 11.6.1; RFC 6585, section 4). */
const REFUSAL_HEADERS: Partial<Record<ErrorStatus, Readonly<Record<string, string>>>> = {
  401: { "www-authenticate": "Bearer" },
  429: { "retry-after": "1" },
};
/** Where a browser without a token sends one. */
const SESSION_PATH = "/api/session";
/** Codes of public requests that fail, by status; any other is `HTTP_BAD_REQUEST`. */
const LOG_IN_CODES: Readonly<Record<number, Code>> = {
  401: "HTTP_UNAUTHORIZED",
  413: "HTTP_BODY_TOO_LARGE",
  415: "HTTP_MEDIA_TYPE",
  429: "HTTP_RATE_LIMITED",
};
/** Where a program asks for the server's proof. */
const IDENTITY_PATH = `/api${IDENTITY_ROUTE}`;
/** Open connections, with room for the streams there may be: of all clients, and of one address. */
const CONNECTIONS = { all: 4_000, ofAddress: 2_500 };
/** Of one address, and of all addresses, of which no request was accepted yet. */
const CONNECTIONS_OF_STRANGERS = { ofStranger: 64, ofStrangers: 1_400 };
/** Bytes of a session's id, and of its key. */
const SECRET_BYTES = 32;
const RATE = { burst: 120, perSecond: 20 };

/**
 * Serves the engine over HTTP. Throws `HTTP_TOKEN_REQUIRED` for an address beyond loopback without a token and
 * `HTTP_LISTEN_FAILED` when the address can't be bound (docs/decisions.md, section 8).
 */
export async function startHttpServer(engine: Engine, options: HttpServerOptions): Promise<HttpServer> {
  const { address } = options;
  const logger = createHarmlessLogger(options.logger);
  refuseOpenAddress(address, options.token);
  const requestTimeout = options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS;
  const closing = new AbortController();
  const refusals = new RefusalLog(logger);
  let { port } = options;
  const known = new KnownClients();
  const sessions = createSessions(options, () => port, known);
  const app = createHttpApp(engine, {
    closing: closing.signal,
    actor: (_, env) => nameCaller(Caller.parse(env), sessions !== undefined),
    ...(sessions && { sessions }),
    ...(options.lockNonce !== undefined && { lockNonce: options.lockNonce }),
    onHiddenError: (error, id) => logger.error({ id, error }, "a request failed inside the server"),
    ...(options.heartbeatMs !== undefined && { heartbeatMs: options.heartbeatMs }),
  });
  const page = showPage(options, logger);
  const isPublic = (method: string, path: string) => isOpenDoor(method, path, { page, ...options });
  const guard = createGuard({
    token: options.token ?? null,
    allowedHosts: options.allowedHosts ?? [],
    rate: RATE,
    now: () => performance.now(),
    isPublic,
    isCounted: (path) => path === IDENTITY_PATH,
    known,
    isDocument: (path) => page?.classify(path) === "document",
  });

  // Request id and guard stand before the app: anything touching the response after a route halves its rate.
  const respond = (
    request: Request,
    { incoming, outgoing }: HttpBindings | Http2Bindings,
  ): Response | Promise<Response> => {
    const id = randomUUID();
    outgoing.setHeader("x-request-id", id);
    // Of every answer, those without a body too.
    outgoing.setHeader("x-content-type-options", "nosniff");
    const { host, origin, authorization, "sec-fetch-site": fetchSite } = incoming.headers;
    const [method, path] = [request.method, readPath(request)];
    const { client, scheme } = readClient(incoming, options.proxySecret ?? null);
    const shown = readShown(incoming.headers, client);
    const findSession = memoize((cookies: typeof shown) => sessions?.find(cookies) ?? null);
    const refusal = guard({
      method,
      path,
      host,
      origin,
      fetchSite: Array.isArray(fetchSite) ? fetchSite.join() : fetchSite,
      scheme,
      authorization,
      get session() {
        return findSession(shown)?.id ?? null;
      },
      client,
    });
    const noteRefusal = (code: Code) => refusals.note({ id, method, path, code, client: client.address });
    if (refusal !== null) {
      noteRefusal(refusal.code);
      return createProblemResponse(refusal, REFUSAL_HEADERS[refusal.status]);
    }
    if (page?.classify(path) !== undefined) return page.app.fetch(request);
    const session = findSession(shown);
    // Reads are not logged: a tile asks every few seconds. The path alone is: a query may hold names of files.
    const logRequest = () => logger.info({ id, method, path: cutPath(path) }, "request");
    const isSecure = scheme === "https";
    const caller: Caller = { client, session: session?.id ?? null, isSecure, server: readOwnEnd(incoming.socket) };
    const answer = () => app.fetch(request, { requestId: id, ...caller });
    if (isPublic(method, path)) {
      // Strangers write no line per request: a log-out without a session is none.
      const isLogged = method === "POST" || (session !== null && !READS.has(method));
      return noteAnswer(answer(), { refused: noteRefusal, accepted: () => isLogged && logRequest() });
    }
    letIn(incoming.socket.remoteAddress ?? "");
    known.add(client.address);
    if (!READS.has(method)) logRequest();
    if (session !== null) endWithSession(outgoing, session, sessions);
    return answer();
  };

  const headersTimeout = Math.min(HEAD_TIMEOUT_MS, requestTimeout);
  const served = serve({
    hostname: address,
    port: options.port,
    serverOptions: {
      requestTimeout,
      headersTimeout,
      connectionsCheckingInterval: Math.ceil(headersTimeout / 10),
      maxHeaderSize: MAX_HEAD,
    },
    fetch: (request, bindings) => {
      const { headers } = bindings.incoming;
      const preparing = sessions?.prepare(readShown(headers, { address: "" })) ?? null;
      return preparing === null ? respond(request, bindings) : preparing.then(() => respond(request, bindings));
    },
  });
  if (!(served instanceof Server)) throw new Error("the adapter served no HTTP/1.1");
  const server = served;
  // A server without a token has no strangers.
  const letIn = limitConnections(server, { ...CONNECTIONS, ...(sessions && CONNECTIONS_OF_STRANGERS) }, known);

  port = await awaitListening(server, options);
  const unname = nameListeningPort(port);
  return {
    url: nameServer({ address, port }),
    close: async () => {
      closing.abort();
      server.once("close", unname);
      await closeServer(server);
      refusals.flush();
    },
  };
}

/** The server's end of a connection. */
function readOwnEnd({ localAddress = "", localPort = 0 }: Socket): Caller["server"] {
  return { address: localAddress, port: localPort };
}

type Outgoing = (HttpBindings | Http2Bindings)["outgoing"];

/** True for requests that need neither token nor session. */
function isOpenDoor(
  method: string,
  path: string,
  { lockNonce, page }: Pick<HttpServerOptions, "lockNonce"> & { readonly page: OpenedPage | undefined },
): boolean {
  if (path === IDENTITY_PATH && lockNonce !== undefined) return READS.has(method);
  if (path === SESSION_PATH) return method === "POST" || method === "DELETE";
  return READS.has(method) && page?.classify(path) !== undefined;
}

/** Breaks a response off when its session ends. */
function endWithSession(outgoing: Outgoing, session: FoundSession, sessions: Sessions | undefined): void {
  if (sessions === undefined || outgoing.destroyed) return;
  outgoing.once(
    "close",
    sessions.endWith(session, () => outgoing.destroy()),
  );
}

/** Reports how a public request ended. */
async function noteAnswer(
  answering: Response | Promise<Response>,
  note: { readonly refused: (code: Code) => void; readonly accepted: () => void },
): Promise<Response> {
  const answer = await answering;
  if (answer.status < 400) note.accepted();
  else note.refused(LOG_IN_CODES[answer.status] ?? "HTTP_BAD_REQUEST");
  return answer;
}

/** The sessions of a server with a token; `port` is the bound one. */
function createSessions(
  { token, sessionCookie }: HttpServerOptions,
  port: () => number,
  known: KnownClients,
): Sessions | undefined {
  if (token === undefined) return undefined;
  return new Sessions({
    token,
    clock: createSystemClock(),
    known,
    createSecret: () => randomBytes(SECRET_BYTES).toString("base64url"),
    cookieName: () => sessionCookie ?? nameCookie(port()),
  });
}

/** Takes no more connections, and waits a while for the answers to what came on those there are. */
function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), CLOSE_GRACE_MS);
    server.close(() => {
      clearTimeout(cut);
      resolve();
    });
    server.closeIdleConnections();
  });
}

/** The page, where it is built. */
function showPage(
  { pageFiles, pageLogs = false }: Pick<HttpServerOptions, "pageFiles" | "pageLogs">,
  logger: Logger,
): OpenedPage | undefined {
  const folder = findPageFolder(pageFiles);
  if (folder !== undefined) return openPage({ files: folder, logs: pageLogs });
  logger.info({}, "the page is not built (npm run build:web): the interface stands alone");
  return undefined;
}

function readPath(request: Request): string {
  return new URL(request.url).pathname;
}
