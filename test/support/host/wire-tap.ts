/** A proxy between a client and a host that checks every frame both ways against the shapes of docs/host-api.md. */
import { createServer } from "node:http";
import { WebSocket, WebSocketServer } from "ws";
import { z } from "zod";

const Id = z.union([z.string(), z.int(), z.null()]);
const Request = z.strictObject({
  jsonrpc: z.literal("2.0"),
  id: z.string(),
  method: z.string(),
  params: z.array(z.unknown()),
});
const ErrorData = z.strictObject({
  error: z.int(),
  errname: z.string(),
  reason: z.string(),
  trace: z.looseObject({ class: z.string() }).nullable(),
  extra: z.unknown(),
});
const Progress = z.strictObject({ percent: z.number(), description: z.string(), extra: z.unknown() });
/** Every job object is complete: section 3. */
const Job = z.strictObject({
  id: z.int(),
  message_ids: z.array(z.union([z.string(), z.int()])),
  method: z.string(),
  arguments: z.array(z.unknown()),
  transient: z.boolean(),
  description: z.string().nullable(),
  abortable: z.boolean(),
  logs_path: z.string().nullable(),
  logs_excerpt: z.string().nullable(),
  progress: Progress,
  result: z.unknown(),
  result_encoding_error: z.unknown(),
  error: z.string().nullable(),
  exception: z.string().nullable(),
  exc_info: z
    .strictObject({ repr: z.string(), type: z.string(), errno: z.int().nullable(), extra: z.unknown() })
    .nullable(),
  state: z.enum(["WAITING", "RUNNING", "SUCCESS", "FAILED", "ABORTED"]),
  time_started: z.strictObject({ $date: z.int() }).nullable(),
  time_finished: z.strictObject({ $date: z.int() }).nullable(),
  credentials: z.looseObject({ type: z.string() }).nullable(),
});
const Answer = z.union([
  z.strictObject({ jsonrpc: z.literal("2.0"), id: Id, result: z.unknown() }),
  z.strictObject({
    jsonrpc: z.literal("2.0"),
    id: Id,
    error: z.union([
      z.strictObject({ code: z.union([z.literal(-32602), z.literal(-32001)]), message: z.string(), data: ErrorData }),
      z.strictObject({
        code: z.union([z.literal(-32700), z.literal(-32600), z.literal(-32601), z.literal(-32000)]),
        message: z.string(),
      }),
    ]),
  }),
  z.strictObject({
    jsonrpc: z.literal("2.0"),
    method: z.literal("collection_update"),
    params: z.strictObject({
      msg: z.enum(["added", "changed", "removed"]),
      collection: z.literal("core.get_jobs"),
      id: z.int(),
      fields: Job,
    }),
  }),
]);

export interface WireTap {
  /** Address for the client. */
  readonly url: string;
  /** Frames that have another shape, with what is wrong. */
  readonly violations: readonly string[];
  /** Frames that passed. */
  frames(): { readonly sent: number; readonly received: number };
  stop(): Promise<void>;
}

/** Starts a tap before the host at `target` (`ws://...`). */
export async function startWireTap(target: string): Promise<WireTap> {
  const violations: string[] = [];
  const count = { sent: 0, received: 0 };
  const check = (schema: z.ZodType, text: string, way: keyof typeof count) => {
    count[way]++;
    const checked = schema.safeParse(JSON.parse(text));
    if (!checked.success) violations.push(`${way} ${text.slice(0, 500)}: ${z.prettifyError(checked.error)}`);
  };
  const server = createServer(async (request, response) => {
    const answer = await fetch(new URL(request.url ?? "/", target.replace("ws:", "http:")));
    response.writeHead(answer.status, { "content-type": "application/json" }).end(await answer.text());
  });
  const sockets = new WebSocketServer({ server });
  sockets.on("connection", (client, request) => {
    const host = new WebSocket(new URL(request.url ?? "/", target));
    const waiting: string[] = [];
    client.on("message", (data) => {
      const text = data.toString();
      check(Request, text, "sent");
      if (host.readyState === WebSocket.OPEN) host.send(text);
      else waiting.push(text);
    });
    host.on("open", () => {
      for (const text of waiting.splice(0)) host.send(text);
    });
    host.on("message", (data) => {
      check(Answer, data.toString(), "received");
      client.send(data.toString());
    });
    host.on("error", () => client.terminate());
    host.on("close", () => client.terminate());
    client.on("close", () => host.terminate());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the tap has no port");
  return {
    url: `ws://127.0.0.1:${address.port}/api/current`,
    violations,
    frames: () => ({ ...count }),
    async stop() {
      for (const socket of sockets.clients) socket.terminate();
      sockets.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
