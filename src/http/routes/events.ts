import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import { type SSEStreamingApi, streamSSE } from "hono/streaming";
import { z } from "zod";
import { EngineError } from "../../core/codes/problems.ts";
import type { EngineEvent, EngineHint } from "../../engine/api.ts";
import { ERRORS, type RouteContext } from "../context.ts";
import { StreamEvent } from "../schemas/events.ts";
import { Sequence } from "../schemas/parts.ts";

/** Streams one server keeps open at once. */
const STREAM_LIMIT = 2000;

/** Says in every response of the stream how far the log had come when it was opened. */
const NEWEST_HEADER = "x-slipway-seq";

/** What a proxy on the way is asked to keep its hands off: a stream that is held back tells nothing. */
const UNHELD = { "cache-control": "no-store, no-transform", "x-accel-buffering": "no" } as const;

const events = createRoute({
  operationId: "followEvents",
  method: "get",
  path: "/events",
  summary: "Every change of every task, in order",
  description:
    "Server-sent events: `id` is the sequence number, `event` the type, `data` the change. `Last-Event-ID` (or `from`) replays what came after it. The first event, `stream.opened`, has no id and says the newest sequence number of that moment, as the header `x-slipway-seq` does, of HEAD too: what comes up to it is past. To list and then follow, go on from the `seq` of `GET tasks`. A client that goes on from a number lists anew where `stream.opened` has another `epoch` than the list, or an `oldest` above the next number; the stream ends where changes it has yet to send were pruned, so that the next one says so. Events without an id beside it are hints, which are not replayed: what they name is worth reading anew.",
  request: {
    query: z.object({ from: Sequence.optional().meta({ description: "The same where no header can be sent" }) }),
    headers: z.object({
      "last-event-id": Sequence.optional().meta({ description: "Sequence number of the last change received" }),
    }),
  },
  responses: {
    200: {
      description: "The stream; the schema is that of `data`",
      content: { "text/event-stream": { schema: StreamEvent } },
    },
    ...ERRORS,
  },
});

/** `GET events`: server-sent events with replay and heartbeat. */
export function addEventRoutes(app: OpenAPIHono, { engine, heartbeatMs, closing }: RouteContext) {
  let open = 0;
  return app.openapi(events, (c) => {
    if (open >= STREAM_LIMIT) {
      throw new EngineError(
        "HTTP_STREAMS_EXHAUSTED",
        `${open} event streams are open, at most ${STREAM_LIMIT} are allowed`,
      );
    }
    // Its body is never read, so that a stream for it would stay open for ever.
    const log = engine.eventLog();
    const { seq: newest } = log;
    c.header(NEWEST_HEADER, String(newest));
    if (c.req.method === "HEAD") return c.body(null, 200, { "content-type": "text/event-stream", ...UNHELD });
    const asked = c.req.valid("header")["last-event-id"] ?? c.req.valid("query").from ?? 0;
    // A number beyond the newest is of a database that was rolled back: what comes from now on is new to the caller.
    const from = Math.min(asked, newest);
    const gone = new AbortController();
    const end = AbortSignal.any([gone.signal, closing]);
    // As old as what is told of the log.
    const changes = engine.watch(from, end);
    open += 1;
    const response = streamSSE(c, async (stream) => {
      stream.onAbort(() => gone.abort());
      // The head of a response leaves with its first bytes. Without an id: it is no place in the log to go on from.
      await stream.writeSSE({ event: "stream.opened", data: JSON.stringify(log) });
      let isBeating = false;
      const heartbeat = setInterval(() => {
        // Of a client that reads nothing one is held.
        if (isBeating) return;
        isBeating = true;
        void stream.write(": \n\n").then(() => {
          isBeating = false;
        });
      }, heartbeatMs);
      try {
        await Promise.all([
          // The log says when the stream is over.
          sendChanges(stream, changes).finally(() => gone.abort()),
          sendHints(stream, engine.watchHints(end)),
        ]);
      } finally {
        gone.abort();
        clearInterval(heartbeat);
        open -= 1;
      }
    });
    for (const [name, value] of Object.entries(UNHELD)) response.headers.set(name, value);
    return response;
  });
}

async function sendChanges(stream: SSEStreamingApi, changes: AsyncIterable<EngineEvent>): Promise<void> {
  for await (const event of changes) {
    await stream.writeSSE({ id: String(event.seq), event: event.type, data: JSON.stringify(event) });
  }
}

/** Without ids: a hint is no place in the log to go on from, and what came while nobody listened is listed anew. */
async function sendHints(stream: SSEStreamingApi, hints: AsyncIterable<EngineHint>): Promise<void> {
  for await (const hint of hints) await stream.writeSSE({ event: hint.type, data: JSON.stringify(hint) });
}
