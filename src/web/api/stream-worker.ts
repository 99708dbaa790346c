/**
 * One stream of events for all tabs of a browser: over HTTP/1.1 each of its own would hold one of the six connections a
 * browser has to a server, and the seventh tab would not load.
 */
import type { StreamMessage } from "./follow-events.ts";
import { type Membership, StreamHub, type StreamRequest } from "./stream-hub.ts";

/** What a tab asks of the worker; `open` again is a stream as somebody else. */
export type WorkerRequest =
  | ({ readonly kind: "open" } & StreamRequest)
  | { readonly kind: "reopen" }
  | { readonly kind: "close" };

/** What it says: what the stream tells, and every while that it is still there. */
export type WorkerAnswer = StreamMessage | { readonly kind: "alive" };

/** Ms between two words that it is there. */
const ALIVE_MS = 15_000;

const hub = new StreamHub();

self.addEventListener("connect", (event) => {
  const port = event instanceof MessageEvent ? event.ports[0] : undefined;
  if (port === undefined) return;
  const answer = (said: WorkerAnswer) => port.postMessage(said);
  let membership: Membership | undefined;
  let timer: ReturnType<typeof setInterval> | undefined;
  const leave = () => {
    clearInterval(timer);
    membership?.leave();
    membership = undefined;
  };
  port.onmessage = ({ data }: MessageEvent<WorkerRequest>) => {
    if (data.kind === "reopen") return membership?.reopen();
    leave();
    if (data.kind === "close") return;
    const { address, headers } = data;
    membership = hub.join({ address, headers }, answer);
    timer = setInterval(() => answer({ kind: "alive" }), ALIVE_MS);
  };
  // A tab that crashed says nothing; browsers that know say this in its place.
  port.addEventListener("close", leave);
});
