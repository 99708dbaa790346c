/** One stream of events, opened again whenever it ends, until nobody wants it any more. */
import { EventReader, type ServerSentEvent } from "./sse.ts";
import type { Hint, StreamOpened, TaskEvent } from "./types.ts";

/** `lost`: opened again by itself in a moment; `refused`: whoever asks has to log in first. */
export type ConnectionState = "connecting" | "live" | "lost" | "refused";

/**
 * What a stream tells. `opened`: from `seq` on every change is told; what was read before counts no more where `anew`, or
 * where it has another `epoch`. Hints that came while it was not open are lost, which is told as a hint too.
 */
export type StreamMessage =
  | { readonly kind: "state"; readonly state: ConnectionState }
  | { readonly kind: "opened"; readonly epoch: string; readonly seq: number; readonly anew: boolean }
  | { readonly kind: "event"; readonly event: TaskEvent }
  | { readonly kind: "hint"; readonly hint: Hint };

export interface FollowOptions {
  /** Address of the stream. */
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly tell: (message: StreamMessage) => void;
  /** Aborts to open the stream again at once. */
  readonly attempt: () => AbortSignal;
  /** Of whoever wants the stream. */
  readonly signal: AbortSignal;
}

interface Place {
  readonly epoch: string;
  readonly seq: number;
}

/** Beyond every number: whoever has read nothing yet hears what comes from now on. */
const FROM_NOW = Number.MAX_SAFE_INTEGER;
/** Ms without a sign of life after which a stream counts as lost; its heartbeat is a fourth of that. */
const SILENCE_MS = 60_000;
/** Ms a stream has to last to be none that ends as soon as it is open, as those of a server that shuts down. */
const STEADY_MS = 1_000;
/** Ms for which nothing is said of a stream that was cut, as proxies do, and is opened again. */
const GRACE_MS = 2_000;
/** Ms until the next attempt: after the first failure, at most, and where a log-in is missing. */
const WAIT = { first: 250, most: 3_000, refused: 30_000 };

/** How a stream ended; `cut`: after a while, for no reason that is known. */
type Ending = "cut" | "lost" | "refused";

/** Follows until the signal aborts; never rejects. */
export async function followEvents(options: FollowOptions): Promise<void> {
  const { tell, signal } = options;
  let place: Place | undefined;
  let failures = 0;
  let grace: ReturnType<typeof setTimeout> | undefined;
  tell({ kind: "state", state: "connecting" });
  while (!signal.aborted) {
    const attempt = AbortSignal.any([options.attempt(), signal]);
    const state = await readOnce(options, place, attempt, (next) => {
      place = next;
      clearTimeout(grace);
    });
    if (attempt.aborted) continue;
    if (state === "cut") {
      failures = 0;
      grace = setTimeout(tell, GRACE_MS, { kind: "state", state: "lost" });
      continue;
    }
    clearTimeout(grace);
    tell({ kind: "state", state });
    const doubled = Math.min(WAIT.most, WAIT.first * 2 ** failures);
    failures += 1;
    // Apart from each other, so that the browsers of a house don't come back all at once.
    await waitFor(state === "refused" ? WAIT.refused : doubled * (0.5 + Math.random() / 2), attempt);
  }
  clearTimeout(grace);
}

/** Reads one stream to its end. */
async function readOnce(
  { address, headers, tell }: FollowOptions,
  place: Place | undefined,
  signal: AbortSignal,
  keep: (place: Place) => void,
): Promise<Ending> {
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), SILENCE_MS);
  let at = place;
  let began = Number.POSITIVE_INFINITY;
  try {
    const response = await fetch(`${address}?from=${place?.seq ?? FROM_NOW}`, {
      cache: "no-store",
      credentials: "same-origin",
      headers: { ...headers, accept: "text/event-stream" },
      signal: AbortSignal.any([signal, silence.signal]),
    });
    if (response.status === 401) return "refused";
    if (!response.ok || response.body === null) return "lost";
    const events = new EventReader();
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    began = performance.now();
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), SILENCE_MS);
      for (const event of events.push(chunk.value)) {
        at = take(event, at, tell);
        if (at !== undefined) keep(at);
      }
    }
  } catch {
    // However it broke off, the next attempt goes on from the place.
  } finally {
    clearTimeout(timer);
  }
  return silence.signal.aborted || performance.now() - began < STEADY_MS ? "lost" : "cut";
}

function take(
  { event, id, data }: ServerSentEvent,
  at: Place | undefined,
  tell: FollowOptions["tell"],
): Place | undefined {
  if (event === "stream.opened") {
    const opened: StreamOpened = JSON.parse(data);
    const { epoch, seq, oldest } = opened;
    const isGap = at !== undefined && (at.epoch !== epoch || seq < at.seq || oldest > at.seq + 1);
    const next = at === undefined || isGap ? { epoch, seq } : at;
    tell({ kind: "opened", ...next, anew: isGap });
    tell({ kind: "hint", hint: { type: "hints.lost" } });
    tell({ kind: "state", state: "live" });
    return next;
  }
  if (id === undefined) {
    tell({ kind: "hint", hint: JSON.parse(data) });
    return at;
  }
  if (at === undefined) return at;
  const change: TaskEvent = JSON.parse(data);
  tell({ kind: "event", event: change });
  return { ...at, seq: change.seq };
}

function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    setTimeout(resolve, ms);
    signal.onabort = () => resolve();
  });
}
