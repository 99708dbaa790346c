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
import type { HostConnection } from "../../engine/ports/host-records.ts";
import { type Connection, openConnection } from "./connection.ts";
import { createFault } from "./faults.ts";
import { keepAlive } from "./keep-alive.ts";
import { type Credentials, createKeyMask, logIn } from "./login.ts";
import type { SessionTiming } from "./timing.ts";
import type { HostTls } from "./tls.ts";
import { type ApiVersion, findVersion } from "./versions.ts";

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
  /** How the way to the host stands now. */
  standing(): HostConnection;
  close(): Promise<void>;
}

/** Nothing is sent before the first `connected`. */
export function createReconnect(
  options: SessionOptions,
  onNotification: (method: string, params: unknown) => void,
): Reconnect {
  return new Reconnecting(options, onNotification);
}

class Reconnecting implements Reconnect {
  readonly #options: SessionOptions;
  readonly #onNotification: (method: string, params: unknown) => void;
  readonly #mask: ReturnType<typeof createKeyMask>;
  readonly #lossListeners = new Set<() => void>();
  readonly #stop = new AbortController();
  #live: Live | null = null;
  #opening: Promise<Live> | null = null;
  #wasConnected = false;
  #failures = 0;
  #standing: HostConnection;
  #refused: { readonly error: HostError; readonly until: number } | null = null;

  constructor(options: SessionOptions, onNotification: (method: string, params: unknown) => void) {
    this.#options = options;
    this.#onNotification = onNotification;
    this.#mask = createKeyMask(options.credentials);
    this.#standing = { connected: false, connections: 0, since: options.clock.now(), attempted: null, fault: null };
  }

  standing(): HostConnection {
    return this.#standing;
  }

  async connected(deadline: number): Promise<Live> {
    for (;;) {
      if (this.isClosed()) throw createClosedError();
      if (this.#live?.connection.isOpen() === true) return this.#live;
      try {
        this.#opening ??= this.#open().finally(() => {
          this.#opening = null;
        });
        return await this.#opening;
      } catch (error) {
        const waits = error instanceof HostError && error.fault.retryable && this.#wasConnected;
        if (!waits || this.#options.clock.monotonic() >= deadline) throw error;
      }
    }
  }

  logInAgain(expired: Live, seen: Promise<void>): Promise<void> {
    if (expired.login === seen) {
      expired.login = this.#logIn(expired.connection).catch((error: unknown) => {
        expired.connection.terminate();
        throw markUndelivered(error);
      });
    }
    return expired.login;
  }

  pause(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const cancel = this.#options.clock.after(ms, resolve);
    const end = () => resolve();
    this.#stop.signal.addEventListener("abort", end);
    return promise.finally(() => {
      cancel();
      this.#stop.signal.removeEventListener("abort", end);
    });
  }

  onLoss(listener: () => void): () => void {
    this.#lossListeners.add(listener);
    return () => this.#lossListeners.delete(listener);
  }

  isClosed(): boolean {
    return this.#stop.signal.aborted;
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#opening?.catch(() => {});
    await this.#live?.connection.ended;
  }

  async #open(): Promise<Live> {
    const { url, tls, clock, timing, random } = this.#options;
    if (this.#refused !== null && clock.monotonic() < this.#refused.until) throw this.#refused.error;
    if (this.#failures > 0) await this.pause(drawBackoffMs(timing.backoffMs, this.#failures, random));
    if (this.isClosed()) throw createClosedError();
    this.#standing = { ...this.#standing, attempted: clock.now() };
    try {
      const version = await findVersion(
        url,
        tls,
        AbortSignal.any([this.#stop.signal, AbortSignal.timeout(timing.openMs)]),
      );
      return this.#use(await this.#connect(version), version);
    } catch (error) {
      this.#failures++;
      this.#noteFailure(error);
      if (error instanceof HostError && !error.fault.retryable)
        this.#refused = { error, until: clock.monotonic() + timing.authRetryMs };
      throw error;
    }
  }

  async #connect(version: ApiVersion): Promise<Connection> {
    const { url, tls, timing, clock, logger } = this.#options;
    const connection = await openConnection({
      url: new URL(`/api/${version.name}`, url),
      tls,
      openMs: timing.openMs,
      clock,
      logger,
      mask: this.#mask,
      onNotification: this.#onNotification,
      signal: this.#stop.signal,
    });
    try {
      await this.#logIn(connection);
      return connection;
    } catch (error) {
      connection.terminate();
      throw markUndelivered(error);
    }
  }

  /** Told once for each reason, however often it is tried again. */
  #noteFailure(error: unknown): void {
    if (!(error instanceof HostError) || this.isClosed()) return;
    const { url, logger } = this.#options;
    const { fault } = error;
    const isNews = this.#standing.fault?.code !== fault.code;
    this.#standing = { ...this.#standing, fault };
    if (isNews) logger.warn({ host: url.host, code: fault.code, reason: fault.reason }, "no connection to the host");
  }

  #logIn(connection: Connection): Promise<void> {
    const { credentials, newId, timing } = this.#options;
    return logIn(connection, credentials, newId, timing.loginMs);
  }

  #use(connection: Connection, version: ApiVersion): Live {
    const { url, logger } = this.#options;
    const made: Live = { connection, version, login: Promise.resolve() };
    this.#failures = 0;
    this.#wasConnected = true;
    this.#refused = null;
    this.#live = made;
    const connections = this.#standing.connections + 1;
    this.#standing = { ...this.#standing, connected: true, connections, since: this.#options.clock.now(), fault: null };
    keepAlive(connection, this.#options);
    void connection.ended.then(() => {
      if (this.#live === made) {
        this.#live = null;
        this.#standing = { ...this.#standing, connected: false, since: this.#options.clock.now() };
      }
      logger.info({ host: url.host }, "the connection to the host has ended");
      for (const hear of [...this.#lossListeners]) hear();
    });
    logger.info({ host: url.host, version: version.name }, "connected to the host");
    return made;
  }
}

/** The call's error once the session is closed; `cause` tells whether it was sent. */
export function createClosedError(cause?: unknown): HostError {
  const delivery = cause instanceof HostError ? cause.delivery : "no";
  return new HostError(createFault("HOST_CLOSED", "the host client is closed", false), delivery, cause);
}

/**
 * Ms to wait after so many failures in a row. Half of it is drawn, so that many clients of a host that restarts
 * do not come back at once.
 */
function drawBackoffMs([first, longest]: SessionTiming["backoffMs"], failures: number, random: () => number): number {
  return Math.min(longest, first * 2 ** (failures - 1)) * (0.5 + random() / 2);
}

/** A socket that broke during the login has not carried the caller's call. */
function markUndelivered(error: unknown): unknown {
  if (!(error instanceof HostError) || error.delivery === "no") return error;
  const known = error.code === "HOST_ANSWER_LOST" || error.code === "HOST_TIMEOUT";
  return new HostError(known ? { ...error.fault, code: "HOST_UNREACHABLE" } : error.fault, "no", error);
}
