/**
 * `serve --metrics`: an engine's metrics as Prometheus text, by OpenTelemetry's own SDK and exporter, on a port of their own.
 * Whoever reads them can do nothing else: the interface's token opens nothing here, and the one given here nothing there.
 * Loads the SDK, so that it is imported only where metrics were asked for.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { MeterProvider as Meters } from "@opentelemetry/api";
import { PrometheusExporter, PrometheusSerializer } from "@opentelemetry/exporter-prometheus";
import { MeterProvider } from "@opentelemetry/sdk-metrics";
import type { Logger } from "../engine/ports/environment.ts";
import { nameListeningPort } from "../engine/system/listening-ports.ts";
import { createGuard } from "./guard.ts";
import { limitConnections } from "./limit-connections.ts";
import { createProblemDetails, NO_STORE, PROBLEM_JSON, type ProblemDetails } from "./problem-details.ts";
import { RefusalLog } from "./refusal-log.ts";
import { awaitListening, nameServer, refuseOpenAddress } from "./server-address.ts";

export interface MetricsServerOptions {
  /** Address to bind, e.g. `127.0.0.1`. */
  readonly address: string;
  /** 0 takes a free port. */
  readonly port: number;
  /** Required on any address beyond loopback; asked of every reader where it is given. */
  readonly token?: string;
  readonly allowedHosts?: readonly string[];
  readonly logger: Logger;
}

export interface MetricsServer {
  /** What is scraped, e.g. `http://127.0.0.1:9464/metrics`. */
  readonly url: string;
  /** For `openEngine({ telemetry: { meterProvider } })`; there are no metrics before. */
  readonly meterProvider: Meters;
  /** Closes every connection, and frees the port. */
  close(): Promise<void>;
}

const PATH = "/metrics";
/** The version of the text format that `PrometheusSerializer` writes. */
const PROMETHEUS_TEXT = "text/plain; version=0.0.4; charset=utf-8";
/** Ms a request may take to arrive whole, and a connection on which nothing is sent or read stays. */
const REQUEST_TIMEOUT_MS = 10_000;
const CONNECTIONS = 64;
/** A scraper needs one. */
const CONNECTIONS_OF_ADDRESS = 8;
/** Wrong tokens of one address. */
const GUESSES = { burst: 20, perSecond: 1 };

/**
 * Serves the metrics of whatever is given the provider. Throws `HTTP_TOKEN_REQUIRED` for an address beyond loopback without
 * a token, and `HTTP_LISTEN_FAILED` where the address can't be bound.
 */
export async function startMetricsServer(options: MetricsServerOptions): Promise<MetricsServer> {
  const { address, logger } = options;
  refuseOpenAddress(address, options.token);
  const reader = new PrometheusExporter({ preventServerStart: true });
  const meterProvider = new MeterProvider({ readers: [reader] });
  // What is scraped has a job and an instance already: neither resource nor scope is told with each value.
  const serializer = new PrometheusSerializer(undefined, false, undefined, true, true);
  const guard = createGuard({
    token: options.token ?? null,
    allowedHosts: options.allowedHosts ?? [],
    rate: GUESSES,
    now: () => performance.now(),
  });
  const refusals = new RefusalLog(logger);
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const refusal = refuseRead(request, guard);
    if (refusal !== null) {
      const client = request.socket.remoteAddress ?? "";
      refusals.note({ method: request.method ?? "", path: readPath(request), code: refusal.code, client });
      sendProblem(response, refusal);
      return;
    }
    try {
      const { resourceMetrics } = await reader.collect();
      response.writeHead(200, { "content-type": PROMETHEUS_TEXT, connection: "close", ...NO_STORE });
      response.end(serializer.serialize(resourceMetrics));
    } catch (error) {
      logger.warn({ error }, "the metrics could not be read");
      sendProblem(response, createProblemDetails("HTTP_INTERNAL", "the metrics could not be read"));
    }
  };
  // Sent at once, thousands of requests would each be collected for, and their answers kept for who reads none of them.
  const asked = new WeakSet<Socket>();
  const server = createServer(
    { requestTimeout: REQUEST_TIMEOUT_MS, headersTimeout: REQUEST_TIMEOUT_MS },
    (request, response) => {
      if (asked.has(request.socket)) {
        request.socket.destroy();
        return;
      }
      asked.add(request.socket);
      void answer(request, response);
    },
  );
  server.timeout = REQUEST_TIMEOUT_MS;
  limitConnections(server, { all: CONNECTIONS, ofAddress: CONNECTIONS_OF_ADDRESS });
  server.listen(options.port, address);
  const port = await awaitListening(server, options);
  const unname = nameListeningPort(port);
  return {
    url: `${nameServer({ address, port })}${PATH}`,
    meterProvider,
    async close() {
      await stopListening(server);
      refusals.flush();
      unname();
      await meterProvider.shutdown();
    },
  };
}

/** Why a request gets no metrics; null where it does. */
function refuseRead(request: IncomingMessage, guard: ReturnType<typeof createGuard>): ProblemDetails | null {
  const { method = "GET", headers } = request;
  const fetchSite = headers["sec-fetch-site"];
  const path = readPath(request);
  const refusal = guard({
    method,
    path,
    host: headers.host,
    origin: headers.origin,
    fetchSite: Array.isArray(fetchSite) ? fetchSite.join() : fetchSite,
    authorization: headers.authorization,
    session: null,
    client: { address: request.socket.remoteAddress ?? "" },
  });
  if (refusal !== null) return refusal;
  if (path !== PATH) return createProblemDetails("HTTP_NOT_FOUND", `only ${PATH} is served here`);
  if (method === "GET" || method === "HEAD") return null;
  return createProblemDetails("HTTP_METHOD_NOT_ALLOWED", `${PATH} is read with GET`);
}

/** Without the query, which may hold a secret. */
function readPath({ url = "/" }: IncomingMessage): string {
  return url.replace(/[?#].*$/s, "");
}

function sendProblem(response: ServerResponse, problem: ProblemDetails): void {
  const asked = problem.status === 401 ? { "www-authenticate": "Bearer" } : {};
  // What a refused request goes on sending is not read.
  response.writeHead(problem.status, { "content-type": PROBLEM_JSON, connection: "close", ...NO_STORE, ...asked });
  response.end(JSON.stringify(problem));
}

function stopListening(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
