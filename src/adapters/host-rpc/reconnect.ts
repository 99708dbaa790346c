/**
 * A logged-in connection, made when it is needed and again after a loss, with back-off and jitter.
 *
 * Invariants (test/host/session.test.ts):
 * 1. One attempt to connect at a time, whoever asks; a host never reached fails at once, a lost one is waited for.
 * 2. A refused login is not repeated before `authRetryMs` have passed: hosts limit logins.
 * 3. Every connection is logged in and subscribed before anybody gets it: nothing of a session outlives its socket.
 */
import { HostError } from "../../engine/host-error.ts";
import type { Clock, Logger } from "../../engine/ports/environment.ts";
import { type Connection, openConnection } from "./connection.ts";
import { plainFault } from "./faults.ts";
import { type Credentials, keyMask, logIn } from "./login.ts";
import type { SessionTiming } from "./timing.ts";
import type { HostTls } from "./tls.ts";
import { type ApiVersion, offeredVersions, pinVersion, releaseOf } from "./versions.ts";

/** What a session is made of. */
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

/** A connection in use. */
export interface Live {
  readonly connection: Connection;
  readonly version: ApiVersion;
  /** The login that holds now; replaced when the host ends the session. */
  login: Promise<void>;
}

/** Keeps one logged-in connection at hand. */
export interface Reconnect {
  /** The live connection, made within the deadline (monotonic ms) if need be. */
  connected(deadline: number): Promise<Live>;
  /** Logs in again on a socket whose session has ended, unless that was done since `seen`. */
  logInAgain(expired: Live, seen: Promise<void>): Promise<void>;
  /** Resolves after `ms`, at once when the session closes. */
  pause(ms: number): Promise<void>;
  /** Hears every loss of the connection; the returned function ends it. */
  onLoss(listener: () => void): () => void;
  isClosed(): boolean;
  close(): Promise<void>;
}

/** Nothing is sent before the first `connected`. */
export function createReconnect(
  options: SessionOptions,
  onNotification: (method: string, params: unknown) => void,
): Reconnect {
  const { url, credentials, tls, timing, clock, logger, newId, random } = options;
  const lossListeners = new Set<() => void>();
  const mask = keyMask(credentials);
  const stop = new AbortController();
  let live: Live | null = null;
  let opening: Promise<Live> | null = null;
  let wasConnected = false;
  let failures = 0;
  let refused: { readonly error: HostError; readonly until: number } | null = null;

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

  async function open(): Promise<Live> {
    if (refused !== null && clock.monotonic() < refused.until) throw refused.error;
    if (failures > 0) await pause(backoff(failures));
    if (stop.signal.aborted) throw closedError();
    try {
      const version = await pinnedVersion();
      const connection = await connect(version);
      const made: Live = { connection, version, login: Promise.resolve() };
      failures = 0;
      wasConnected = true;
      refused = null;
      live = made;
      keepAlive(connection);
      void connection.ended.then(() => {
        if (live === made) live = null;
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

  async function connected(deadline: number): Promise<Live> {
    for (;;) {
      if (stop.signal.aborted) throw closedError();
      if (live?.connection.isOpen() === true) return live;
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

  function logInAgain(expired: Live, seen: Promise<void>): Promise<void> {
    if (expired.login === seen) {
      expired.login = logIn(expired.connection, credentials, newId, timing.loginMs).catch((error: unknown) => {
        expired.connection.terminate();
        throw undelivered(error);
      });
    }
    return expired.login;
  }

  return {
    connected,
    logInAgain,
    pause,
    onLoss: (listener) => {
      lossListeners.add(listener);
      return () => lossListeners.delete(listener);
    },
    isClosed: () => stop.signal.aborted,
    async close() {
      stop.abort();
      await opening?.catch(() => {});
      await live?.connection.ended;
    },
  };
}

/** The call's error once the session is closed; `cause` tells whether it was sent. */
export function closedError(cause?: unknown): HostError {
  const delivery = cause instanceof HostError ? cause.delivery : "no";
  return new HostError(plainFault("HOST_CLOSED", "the host client is closed", false), delivery, cause);
}

/** A socket that broke during the login has not carried the caller's call. */
function undelivered(error: unknown): unknown {
  if (!(error instanceof HostError) || error.delivery === "no") return error;
  const known = error.code === "HOST_ANSWER_LOST" || error.code === "HOST_TIMEOUT";
  return new HostError(known ? { ...error.fault, code: "HOST_UNREACHABLE" } : error.fault, "no", error);
}
