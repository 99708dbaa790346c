import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { type AppAnswer, findAnswer } from "./answers.ts";

/** An app cuts a connection, answers 503, or answers from its table. */
export type AppPhase = "starting" | "warming" | "ready";

/** One request an app received. */
export interface AppRequest {
  /** UTC ms. */
  readonly at: number;
  readonly method: string;
  /** Path and query as sent. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Text, at most 64 KiB of it. */
  readonly body: string;
  readonly status: number;
  /** Index of the row of its table that answered; null where none did. */
  readonly row: number | null;
}

/** Bytes of a request's body that are kept. */
const KEPT_BODY = 65_536;

interface ListenerOwner {
  readonly name: string;
  answers(): readonly AppAnswer[];
  phase(): AppPhase;
  now(): number;
  record(request: AppRequest): void;
}

/** An app's HTTP server on one address and port. Rejects with `EADDRINUSE` when another process has the port. */
export async function listenAsApp(owner: ListenerOwner, address: string, port: number): Promise<Server> {
  const used = new Map<AppAnswer, number>();
  const server = createServer((request, response) => {
    answer(owner, used, request, response).catch((error: unknown) => response.destroy(toError(error)));
  });
  // A container that is still starting accepts nothing: what Docker's port proxy accepts for it is cut at once.
  server.on("connection", (socket) => {
    if (owner.phase() === "starting") socket.destroy();
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host: address, port, exclusive: true }, resolve);
  });
  return server;
}

/** Closes an app's server and every connection to it. */
export function closeListener(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

async function answer(
  owner: ListenerOwner,
  used: Map<AppAnswer, number>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await readBody(request);
  const method = request.method ?? "GET";
  const url = request.url ?? "/";
  const rows = owner.answers();
  const row = findAnswer(rows, { method, path: url }, used);
  if (row !== undefined) used.set(row, (used.get(row) ?? 0) + 1);
  if (row?.delayMs !== undefined) await sleep(row.delayMs);
  const reply =
    owner.phase() === "warming" ? WARMING : row === undefined ? buildDefaultReply(owner, method, url) : toReply(row);
  owner.record({
    at: owner.now(),
    method,
    url,
    headers: request.headers,
    body,
    status: reply.status,
    row: row === undefined ? null : rows.indexOf(row),
  });
  response.writeHead(reply.status, reply.headers);
  response.end(method === "HEAD" ? undefined : reply.body);
}

interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: string;
}

const WARMING: Reply = { status: 503, headers: { "content-type": "text/plain" }, body: "starting" };

function toReply(row: AppAnswer): Reply {
  const text = typeof row.body === "string";
  return {
    status: row.status ?? 200,
    headers: { "content-type": text ? "text/plain; charset=utf-8" : "application/json", ...row.headers },
    body: row.body === undefined ? "" : typeof row.body === "string" ? row.body : JSON.stringify(row.body),
  };
}

function buildDefaultReply(owner: ListenerOwner, method: string, url: string): Reply {
  if (method !== "GET" && method !== "HEAD") {
    return { status: 404, headers: { "content-type": "application/json" }, body: '{"error":"not found"}' };
  }
  const path = url.split("?")[0] ?? url;
  return path === "/"
    ? {
        status: 200,
        headers: { "content-type": "text/html; charset=utf-8" },
        body: `<!doctype html><title>${owner.name}</title><h1>${owner.name}</h1>\n`,
      }
    : {
        status: 200,
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ app: owner.name, path, status: "ok" }),
      };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    if (bytes < KEPT_BODY && Buffer.isBuffer(chunk)) chunks.push(chunk);
    bytes += Buffer.isBuffer(chunk) ? chunk.length : 0;
  }
  return Buffer.concat(chunks).toString("utf8").slice(0, KEPT_BODY);
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
