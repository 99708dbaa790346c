/**
 * A session that outlives its sockets: each call waits for a connection, goes out within the limit, and is checked.
 * A watched job is such a caller, so nothing waits for ever on a dead socket.
 *
 * Invariants (test/host):
 * 1. At most 8 calls are in flight (the host runs 10 per connection and refuses the 21st).
 * 2. A call is sent again by itself only if it is a `read` or `idempotent`, or if the host refused it before acting.
 */
import type { z } from "zod";
import type { Json } from "../../core/json/json.ts";
import { HostError } from "../../engine/host-error.ts";
import type { HostConnection } from "../../engine/ports/host-records.ts";
import { createCallLimit } from "./call-limit.ts";
import { createFault } from "./faults.ts";
import { HOST_CALLS, type HostMethod, nameOnWire } from "./host-calls.ts";
import { createClosedError, createReconnect, type Reconnect, type SessionOptions } from "./reconnect.ts";
import type { ApiVersion } from "./versions.ts";
import { CollectionUpdate, WireJob } from "./wire.ts";

const CALLS_IN_FLIGHT = 8;
/** Sendings of one call, the first included. */
const SENDINGS = 4;

export interface CallOptions {
  /** The JSON-RPC id; default: a new one. It reappears in a job's `message_ids`. */
  readonly requestId?: string;
  /** ms; default `callMs`. */
  readonly timeoutMs?: number;
}

/** Calls to one host, whatever becomes of its sockets. */
export interface Session {
  /**
   * Calls a method and checks its result. The table of host calls gives its class and its name in the host's release. Rejects
   * with `HOST_METHOD_UNKNOWN` if the release has no such method.
   */
  call<S extends z.ZodType>(
    method: HostMethod,
    params: readonly Json[],
    result: S,
    options?: CallOptions,
  ): Promise<z.infer<S>>;
  /** The version the current connection is pinned to; connects if need be. */
  version(): Promise<ApiVersion>;
  /** Hears every job event; the returned function ends it. */
  onJob(listener: (job: WireJob) => void): () => void;
  /** Hears every loss of the connection. */
  onLoss(listener: () => void): () => void;
  /** How the way to the host stands now. */
  standing(): HostConnection;
  close(): Promise<void>;
}

/** Creates a session; nothing is sent before the first call. */
export function createSession(options: SessionOptions): Session {
  return new HostSession(options);
}

class HostSession implements Session {
  readonly #options: SessionOptions;
  readonly #limit = createCallLimit(CALLS_IN_FLIGHT);
  readonly #jobListeners = new Set<(job: WireJob) => void>();
  readonly #reconnect: Reconnect;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#reconnect = createReconnect(options, (method, params) => this.#hear(method, params));
  }

  async call<S extends z.ZodType>(
    method: HostMethod,
    params: readonly Json[],
    result: S,
    options: CallOptions = {},
  ): Promise<z.infer<S>> {
    const { name, answer } = await this.#send(method, params, options);
    const checked = result.safeParse(answer);
    if (checked.success) return checked.data;
    const [issue] = checked.error.issues;
    const words = `the answer to "${name}" is not understood: ${issue?.path.join(".")}: ${issue?.message}`;
    throw new HostError(createFault("HOST_PROTOCOL", words, false), "yes");
  }

  async version(): Promise<ApiVersion> {
    return (await this.#reconnect.connected(this.#giveUpAt())).version;
  }

  onJob(listener: (job: WireJob) => void): () => void {
    this.#jobListeners.add(listener);
    return () => this.#jobListeners.delete(listener);
  }

  onLoss(listener: () => void): () => void {
    return this.#reconnect.onLoss(listener);
  }

  standing(): HostConnection {
    return this.#reconnect.standing();
  }

  close(): Promise<void> {
    return this.#reconnect.close();
  }

  #giveUpAt(): number {
    const { clock, timing } = this.#options;
    return clock.monotonic() + timing.reconnectWaitMs;
  }

  #hear(method: string, params: unknown): void {
    const update = method === "collection_update" ? CollectionUpdate.safeParse(params) : null;
    if (update?.success !== true || update.data.collection !== "core.get_jobs") return;
    const job = WireJob.safeParse(update.data.fields);
    if (job.success) for (const hear of [...this.#jobListeners]) hear(job.data);
  }

  async #send(
    method: HostMethod,
    params: readonly Json[],
    how: CallOptions,
  ): Promise<{ readonly name: string; readonly answer: unknown }> {
    const repeatable = HOST_CALLS[method].class === "read" || HOST_CALLS[method].class === "idempotent";
    const { timing, newId } = this.#options;
    const deadline = this.#giveUpAt();
    for (let sending = 1; ; sending++) {
      const current = await this.#reconnect.connected(deadline);
      const login = current.login;
      // After a reconnect the host may be of another release.
      const name = findName(method, current.version);
      try {
        const answer = await this.#limit(() =>
          current.connection.call({
            id: how.requestId ?? newId(),
            method: name,
            params,
            timeoutMs: how.timeoutMs ?? timing.callMs,
          }),
        );
        return { name, answer };
      } catch (error) {
        if (this.#reconnect.isClosed()) throw createClosedError(error);
        if (!(error instanceof HostError) || sending === SENDINGS) throw error;
        if (error.code === "HOST_SESSION_ENDED")
          await this.#reconnect.logInAgain(current, login).catch(passUnlessRetryable);
        else if (error.code === "HOST_BUSY" && error.delivery === "no")
          await this.#reconnect.pause(timing.busyMs * sending);
        else if (error.code === "HOST_UNREACHABLE") continue;
        else if (error.code === "HOST_ANSWER_LOST" && repeatable) continue;
        else throw error;
      }
    }
  }
}

function findName(method: HostMethod, { release }: ApiVersion): string {
  const name = nameOnWire(method, release);
  if (name !== null) return name;
  throw new HostError(createFault("HOST_METHOD_UNKNOWN", `release ${release} has no "${method}"`, false), "no");
}

/** A login that was cut is made again with the next connection; a refused one is final. */
function passUnlessRetryable(error: unknown): void {
  if (!(error instanceof HostError && error.fault.retryable)) throw error;
}
