/**
 * A small host on a real socket whose every answer the test decides: for what a client must survive that no honest host
 * does on demand. Logs in, subscribes and answers pings by itself; every request is published as those of a stand-in are,
 * so that it is held against what the real host accepts.
 */
import { createServer as createPlain, type Server } from "node:http";
import { createServer as createSecure } from "node:https";
import { type WebSocket, WebSocketServer } from "ws";
import { z } from "zod";
import type { Json } from "../../../src/core/json/json.ts";
import { FRAMES } from "../../../src/standin/rpc/frames.ts";
import { GENERATIONS } from "../../../src/standin/settings.ts";

/** A request as section 2 of docs/host-api.md demands it. */
const Request = z.strictObject({
  jsonrpc: z.literal("2.0"),
  id: z.string(),
  method: z.string(),
  params: z.array(z.unknown()),
});

/** One call as it arrived. */
export interface WireCall {
  readonly id: string;
  readonly method: string;
  readonly params: readonly unknown[];
  /** 1 for the first connection. */
  readonly connection: number;
  result(value: Json): void;
  error(code: number, message: string, data?: Json): void;
  /** An error raised by a call: -32001 with `data`. */
  raise(errno: number, errname: string, reason: string): void;
  notify(params: Json): void;
  /** Cuts the socket without a close frame. */
  cut(): void;
}

export type Handler = (call: WireCall) => void;

export interface WireHost {
  /** `ws://127.0.0.1:PORT` or `wss://...`. */
  readonly url: string;
  readonly calls: readonly WireCall[];
  /** Frames of the client that break the protocol. */
  readonly violations: readonly string[];
  connections(): number;
  open(): number;
  /** Calls of one method that arrived. */
  named(method: string): readonly WireCall[];
  on(method: string, handler: Handler): void;
  cutAll(): void;
  stop(): Promise<void>;
}

export interface WireHostOptions {
  readonly versions?: readonly string[];
  readonly tls?: { readonly key: string; readonly cert: string };
  /** Closes every socket right after it opens, as the access list does. */
  readonly closeWith?: number;
  readonly port?: number;
}

export const API_KEY = "7-secretOfTheTestKey";

/** Starts one; `stop` closes it and all its sockets. */
export async function startWireHost(options: WireHostOptions = {}): Promise<WireHost> {
  const calls: WireCall[] = [];
  const violations: string[] = [];
  const handlers = new Map<string, Handler>(Object.entries(DEFAULTS));
  let connections = 0;

  const answer: Parameters<typeof createPlain>[1] = (request, response) => {
    if (request.url !== "/api/versions") return void response.writeHead(404).end();
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(options.versions ?? ["v25.10.5"]));
  };
  const server: Server = options.tls === undefined ? createPlain(answer) : createSecure(options.tls, answer);
  const sockets = new WebSocketServer({ server, maxPayload: 65_536 });
  sockets.on("connection", (socket, request) => {
    const connection = ++connections;
    if (!/^\/api\/v\d/.test(request.url ?? "")) violations.push(`not pinned: ${request.url}`);
    if (options.closeWith !== undefined) return socket.close(options.closeWith);
    socket.on("message", (data, isBinary) => {
      const parsed = Request.safeParse(isBinary ? "binary" : JSON.parse(data.toString()));
      if (!parsed.success) return void violations.push(data.toString());
      const { method, params } = parsed.data;
      FRAMES.publish({ ...speak(request.url), agent: null, request: { method, params }, sent: null });
      const call = wireCall(socket, connection, parsed.data);
      calls.push(call);
      const handler = handlers.get(call.method);
      if (handler === undefined) return call.error(-32601, "Method does not exist");
      handler(call);
    });
  });
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the host of the test has no port");
  const { port } = address;

  return {
    url: `${options.tls === undefined ? "ws" : "wss"}://127.0.0.1:${port}`,
    calls,
    violations,
    connections: () => connections,
    open: () => sockets.clients.size,
    named: (method) => calls.filter((call) => call.method === method),
    on: (method, handler) => handlers.set(method, handler),
    cutAll: () => {
      for (const socket of sockets.clients) socket.terminate();
    },
    async stop() {
      for (const socket of sockets.clients) socket.terminate();
      sockets.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** What a socket's path says: its version, and the generation that has it as its own. */
function speak(path = "") {
  const version = path.split("/").at(-1) ?? "";
  return { version, generation: GENERATIONS.find((name) => version.startsWith(`v${name}.`)) ?? "25.10" };
}

const DEFAULTS: Record<string, Handler> = {
  "auth.login_ex": (call) => {
    const [{ mechanism, api_key } = {}] = z
      .array(z.object({ mechanism: z.string(), username: z.string(), api_key: z.string() }))
      .parse(call.params);
    const right = mechanism === "API_KEY_PLAIN" && api_key === API_KEY;
    call.result(right ? { response_type: "SUCCESS", authenticator: "LEVEL_1" } : { response_type: "AUTH_ERR" });
  },
  "core.set_options": (call) => call.result({ legacy_jobs: true, private_methods: false, py_exceptions: false }),
  "core.subscribe": (call) => call.result(`subscription-${call.id}`),
  "core.ping": (call) => call.result("pong"),
  "docker.status": (call) => call.result({ status: "RUNNING", description: "Application(s) are currently running" }),
};

function wireCall(socket: WebSocket, connection: number, { id, method, params }: z.infer<typeof Request>): WireCall {
  const send = (frame: Json) => socket.send(JSON.stringify(frame));
  const error = (code: number, message: string, data?: Json) =>
    send({ jsonrpc: "2.0", id, error: { code, message, ...(data !== undefined && { data }) } });
  return {
    id,
    method,
    params,
    connection,
    error,
    result: (result) => send({ jsonrpc: "2.0", id, result }),
    raise: (errno, errname, reason) =>
      error(-32001, "Method call error", { error: errno, errname, reason, trace: null, extra: null }),
    notify: (update) => send({ jsonrpc: "2.0", method: "collection_update", params: update }),
    cut: () => socket.terminate(),
  };
}
