/**
 * A session that outlives its sockets: it connects when a call needs it, logs in, pings, and after a loss connects again
 * with back-off and jitter for the next call. A watched job is such a caller, so nothing waits for ever on a dead socket.
 *
 * Invariants (test/host):
 * 1. At most 8 calls are in flight (the host runs 10 per connection and refuses the 21st).
 * 2. A call is sent again by itself only if it is a `read` or `idempotent`, or if the host refused it before acting.
 * 3. An API key is never sent over a socket that is not encrypted, unless the caller vouches for a stand-in.
 * 4. A refused login is not repeated before `authRetryMs` have passed: hosts limit logins.
 */
import type { z } from "zod";
import type { Json } from "../../core/json.ts";
import { HOST_CALLS, type HostMethod } from "../../engine/host-calls.ts";
import { HostError } from "../../engine/host-error.ts";
import type { Clock, Logger } from "../../engine/ports/environment.ts";
import { createCallLimit } from "./call-limit.ts";
import { type Connection, openConnection } from "./connection.ts";
import { plainFault } from "./faults.ts";
import { type Credentials, keyMask, logIn } from "./login.ts";
import type { HostTls } from "./tls.ts";
import { type ApiVersion, offeredVersions, pinVersion, releaseOf } from "./versions.ts";
import { CollectionUpdate, WireJob } from "./wire.ts";

/** Times in ms. */
export interface SessionTiming {
  /** Between two pings; the host's proxy cuts after 60 s of silence. */
  readonly pingMs: number;
  /** A ping not answered by then ends the socket. */
  readonly pongMs: number;
  /** Opening a socket, discovery included. */
  readonly openMs: number;
  /** A login is answered late on purpose when it fails or is rate limited. */
  readonly loginMs: number;
  readonly callMs: number;
  /** First and longest pause between attempts to connect. */
  readonly backoffMs: readonly [number, number];
  /** How long a call waits for a lost host to come back. */
  readonly patienceMs: number;
  readonly authRetryMs: number;
  /** Pause before a call the host refused as one too many. */
  readonly busyMs: number;
  /** Between two looks at a job, beside the events. */
  readonly pollMs: number;
}

export const DEFAULT_TIMING: SessionTiming = {
  pingMs: 25_000,
  pongMs: 10_000,
  openMs: 10_000,
  loginMs: 30_000,
  callMs: 60_000,
  backoffMs: [250, 15_000],
  patienceMs: 20_000,
  authRetryMs: 10_000,
  busyMs: 500,
  pollMs: 5_000,
};

const CALLS_IN_FLIGHT = 8;
/** Sendings of one call, the first included. */
const SENDINGS = 4;

export interface SessionOptions {
  readonly url: URL;
  readonly credentials: Credentials;
  readonly tls: HostTls | undefined;
  readonly timing: SessionTiming;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly newId: () => string;
  /** 0 <= n < 1, for the jitter. */
  readonly random: () => number;
}

export interface CallOptions {
  /** The JSON-RPC id; default: a new one. It reappears in a job's `message_ids`. */
  readonly requestId?: string;
  /** ms; default `callMs`. */
  readonly timeoutMs?: number;
}

export interface Session {
  /**
   * Calls a method and checks its result. The method named in the table of host calls gives the class; `as` names the
   * method on the wire where a release calls it differently.
   */
  call<S extends z.ZodType>(
    method: HostMethod,
    params: readonly Json[],
    result: S,
    options?: CallOptions & { readonly as?: string },
  ): Promise<z.infer<S>>;
  /** The version the current connection is pinned to; connects if need be. */
  version(): Promise<ApiVersion>;
  /** Hears every job event; the returned function ends it. */
  onJob(listener: (job: WireJob) => void): () => void;
  /** Hears every loss of the connection. */
  onLoss(listener: () => void): () => void;
  close(): Promise<void>;
}

type Link = { readonly connection: Connection; readonly version: ApiVersion; login: Promise<void> };

/** Creates a session; nothing is sent before the first call. */
export function createSession(options: SessionOptions): Session {
  const { url, credentials, tls, timing, clock, logger, newId, random } = options;
  const limit = createCallLimit(CALLS_IN_FLIGHT);
  const jobListeners = new Set<(job: WireJob) => void>();
  const lossListeners = new Set<() => void>();
  const mask = keyMask(credentials);
  const stop = new AbortController();
  let link: Link | null = null;
  let opening: Promise<Link> | null = null;
  let wasConnected = false;
  let failures = 0;
  let refused: { readonly error: HostError; readonly until: number } | null = null;

  /** Resolves after `ms`, at once when the session closes. */
  function pause(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const cancel = clock.after(ms, resolve);
    const end = () => resolve();
    stop.signal.addEventListener("abort", end);
    return promise.finally(() => {
      cancel();
      stop.signal.removeEventListener("abort", end);
    });
  }

  async function open(): Promise<Link> {
    if (refused !== null && clock.monotonic() < refused.until) throw refused.error;
    if (failures > 0) await pause(backoff(failures));
    if (stop.signal.aborted) throw closedError();
    try {
      const version = await pinnedVersion();
      const connection = await connect(version);
      const made: Link = { connection, version, login: Promise.resolve() };
      failures = 0;
      wasConnected = true;
      refused = null;
      link = made;
      keepAlive(connection);
      void connection.ended.then(() => {
        if (link === made) link = null;
        logger.info({ host: url.host }, "the connection to the host has ended");
        for (const hear of [...lossListeners]) hear();
      });
      logger.info({ host: url.host, version: version.name }, "connected to the host");
      return made;
    } catch (error) {
      failures++;
      if (error instanceof HostError && !error.fault.retryable)
        refused = { error, until: clock.monotonic() + timing.authRetryMs };
      throw error;
    }
  }

  /** An address that names a version is taken at its word; otherwise the host is asked at every connection. */
  async function pinnedVersion(): Promise<ApiVersion> {
    const named = url.pathname.split("/").at(-1) ?? "";
    const release = releaseOf(named);
    if (release !== null) return { name: named, release };
    const offered = await offeredVersions(url, tls, AbortSignal.any([stop.signal, AbortSignal.timeout(timing.openMs)]));
    const version = pinVersion(offered);
    if (version !== null) return version;
    const words = `"${url.host}" offers the API versions "${offered.join(", ")}", none of which is known here`;
    throw new HostError(plainFault("HOST_VERSION_UNSUPPORTED", words, false), "no");
  }

  async function connect(version: ApiVersion): Promise<Connection> {
    const connection = await openConnection({
      url: new URL(`/api/${version.name}`, url),
      tls,
      openMs: timing.openMs,
      clock,
      logger,
      mask,
      onNotification,
      signal: stop.signal,
    });
    try {
      await logIn(connection, credentials, newId, timing.loginMs);
      return connection;
    } catch (error) {
      connection.terminate();
      throw undelivered(error);
    }
  }

  function onNotification(method: string, params: unknown): void {
    const update = method === "collection_update" ? CollectionUpdate.safeParse(params) : null;
    if (update?.success !== true || update.data.collection !== "core.get_jobs") return;
    const job = WireJob.safeParse(update.data.fields);
    if (job.success) for (const hear of [...jobListeners]) hear(job.data);
  }

  /** Pings while the socket lives; a host that does not answer has its socket ended, so that nobody waits on it. */
  function keepAlive(connection: Connection): void {
    let cancel = () => {};
    const next = () => {
      cancel = clock.after(timing.pingMs, () => {
        const ping = { id: newId(), method: "core.ping", params: [], timeoutMs: timing.pongMs };
        connection.call(ping).then(next, (error: unknown) => {
          logger.warn({ host: url.host, error: String(error) }, "the host does not answer a ping");
          connection.terminate();
        });
      });
    };
    next();
    void connection.ended.then(() => cancel());
  }

  function backoff(failed: number): number {
    const [first, longest] = timing.backoffMs;
    // Half of the pause is drawn, so that many clients of a host that restarts do not come back at once.
    return Math.min(longest, first * 2 ** (failed - 1)) * (0.5 + random() / 2);
  }

  /** The live connection; a host never reached fails at once, a lost one is waited for. */
  async function connected(deadline: number): Promise<Link> {
    for (;;) {
      if (stop.signal.aborted) throw closedError();
      if (link?.connection.isOpen() === true) return link;
      try {
        opening ??= open().finally(() => {
          opening = null;
        });
        return await opening;
      } catch (error) {
        const waits = error instanceof HostError && error.fault.retryable && wasConnected;
        if (!waits || clock.monotonic() >= deadline) throw error;
      }
    }
  }

  /** Logs in again on the socket whose session has expired; concurrent callers share one login. */
  function logInAgain(expired: Link, seen: Promise<void>): Promise<void> {
    if (expired.login === seen) {
      expired.login = logIn(expired.connection, credentials, newId, timing.loginMs).catch((error: unknown) => {
        expired.connection.terminate();
        throw undelivered(error);
      });
    }
    return expired.login;
  }

  async function send(
    method: HostMethod,
    wireMethod: string,
    params: readonly Json[],
    how: CallOptions,
  ): Promise<unknown> {
    const repeatable = HOST_CALLS[method].class === "read" || HOST_CALLS[method].class === "idempotent";
    const deadline = clock.monotonic() + timing.patienceMs;
    for (let sending = 1; ; sending++) {
      const current = await connected(deadline);
      const login = current.login;
      try {
        return await limit(() =>
          current.connection.call({
            id: how.requestId ?? newId(),
            method: wireMethod,
            params,
            timeoutMs: how.timeoutMs ?? timing.callMs,
          }),
        );
      } catch (error) {
        if (stop.signal.aborted) throw closedError(error);
        if (!(error instanceof HostError) || sending === SENDINGS) throw error;
        if (error.code === "HOST_SESSION_ENDED") await logInAgain(current, login).catch(unlessRetryable);
        else if (error.code === "HOST_BUSY" && error.delivery === "no") await pause(timing.busyMs * sending);
        else if (error.code === "HOST_UNREACHABLE") continue;
        else if (error.code === "HOST_ANSWER_LOST" && repeatable) continue;
        else throw error;
      }
    }
  }

  return {
    async call(method, params, result, { as = method, ...how } = {}) {
      const answer = await send(method, as, params, how);
      const checked = result.safeParse(answer);
      if (checked.success) return checked.data;
      const [issue] = checked.error.issues;
      const words = `the answer to "${as}" is not understood: ${issue?.path.join(".")}: ${issue?.message}`;
      throw new HostError(plainFault("HOST_PROTOCOL", words, false), "yes");
    },
    version: async () => (await connected(clock.monotonic() + timing.patienceMs)).version,
    onJob: (listener) => {
      jobListeners.add(listener);
      return () => jobListeners.delete(listener);
    },
    onLoss: (listener) => {
      lossListeners.add(listener);
      return () => lossListeners.delete(listener);
    },
    async close() {
      stop.abort();
      await opening?.catch(() => {});
      await link?.connection.ended;
    },
  };
}

/** A login that was cut is made again with the next connection; a refused one is final. */
function unlessRetryable(error: unknown): void {
  if (!(error instanceof HostError && error.fault.retryable)) throw error;
}

function closedError(cause?: unknown): HostError {
  const delivery = cause instanceof HostError ? cause.delivery : "no";
  return new HostError(plainFault("HOST_CLOSED", "the host client is closed", false), delivery, cause);
}

/** A socket that broke during the login has not carried the caller's call. */
function undelivered(error: unknown): unknown {
  if (!(error instanceof HostError) || error.delivery === "no") return error;
  const known = error.code === "HOST_ANSWER_LOST" || error.code === "HOST_TIMEOUT";
  return new HostError(known ? { ...error.fault, code: "HOST_UNREACHABLE" } : error.fault, "no", error);
}
