/** Streams that several listeners share: those who ask for the same one as the same caller. */
import { type ConnectionState, followEvents, type StreamMessage } from "./follow-events.ts";

/** Which stream, and as whom. */
export interface StreamRequest {
  /** Whole address of the stream. */
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Membership {
  /** Opens the stream again at once, for everybody: somebody logged in or out. */
  reopen(): void;
  leave(): void;
}

type Listener = (message: StreamMessage) => void;

interface Shared {
  readonly listeners: Set<Listener>;
  readonly end: AbortController;
  attempt: AbortController;
  state: ConnectionState;
  /** How far it has come; undefined before it was open. */
  place: { readonly epoch: string; readonly seq: number } | undefined;
}

export class StreamHub {
  readonly #streams = new Map<string, Shared>();

  /** Has a listener hear the stream: where it stands, and that it may have missed hints, and then whatever comes. */
  join(request: StreamRequest, listener: Listener): Membership {
    const key = JSON.stringify(request);
    const shared = this.#streams.get(key) ?? this.#open(key, request);
    shared.listeners.add(listener);
    listener({ kind: "state", state: shared.state });
    if (shared.place !== undefined) {
      listener({ kind: "opened", ...shared.place, anew: false });
      listener({ kind: "hint", hint: { type: "hints.lost" } });
    }
    return {
      reopen: () => {
        const { attempt } = shared;
        shared.attempt = new AbortController();
        attempt.abort();
      },
      leave: () => {
        shared.listeners.delete(listener);
        if (shared.listeners.size > 0 || this.#streams.get(key) !== shared) return;
        this.#streams.delete(key);
        shared.end.abort();
      },
    };
  }

  #open(key: string, { address, headers }: StreamRequest): Shared {
    const shared: Shared = {
      listeners: new Set(),
      end: new AbortController(),
      attempt: new AbortController(),
      state: "connecting",
      place: undefined,
    };
    this.#streams.set(key, shared);
    const tell: Listener = (message) => {
      if (message.kind === "state") shared.state = message.state;
      else if (message.kind === "opened") shared.place = { epoch: message.epoch, seq: message.seq };
      else if (message.kind === "event" && shared.place !== undefined)
        shared.place = { ...shared.place, seq: message.event.seq };
      for (const listener of shared.listeners) listener(message);
    };
    void followEvents({ address, headers, tell, attempt: () => shared.attempt.signal, signal: shared.end.signal });
    return shared;
  }
}
