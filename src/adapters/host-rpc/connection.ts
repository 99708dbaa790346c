/**
 * One socket to the host: requests, their answers, notifications.
 *
 * Invariants:
 * 1. Every call settles once: by its answer, by its timeout, or by the end of the socket. A late answer is ignored.
 * 2. Before a frame is sent a failure is delivered as `no`; after it, without an answer, as `unknown`.
 */
import type { RawData, WebSocket } from "ws";
import type { Json } from "../../core/json/json.ts";
import { HostError } from "../../engine/host-error.ts";
import type { Clock, Logger } from "../../engine/ports/environment.ts";
import { readHost, readPort } from "../url-parts.ts";
import {
  createLostError,
  createTimeoutError,
  createTooLargeError,
  createUnsentError,
  MESSAGE_LIMIT_BYTES,
} from "./connection-errors.ts";
import { parseExtendedJson } from "./extended-json.ts";
import { readRpcError } from "./faults.ts";
import { connectTls, type HostTls } from "./tls.ts";
import { connectError } from "./versions.ts";
import { Frame } from "./wire.ts";

/** RPC errors that say the host has not begun: too many calls, not a request, no such method. */
const REFUSED_CODES = [-32000, -32600, -32601];

export interface ConnectionOptions {
  /** With the pinned path, e.g. `wss://nas/api/v25.10.5`. */
  readonly url: URL;
  readonly tls: HostTls | undefined;
  /** ms until the socket must be open. */
  readonly openMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Hides the API key in the host's words. */
  readonly mask: (text: string) => string;
  readonly onNotification: (method: string, params: unknown) => void;
  /** Ends the socket, also while it opens. */
  readonly signal: AbortSignal;
}

/** One JSON-RPC request. */
export interface OutgoingCall {
  readonly id: string;
  readonly method: string;
  readonly params: readonly Json[];
  /** ms until the call is given up. */
  readonly timeoutMs: number;
}

/** One open socket. */
export interface Connection {
  /** Resolves with the result as plain JSON; rejects with a `HostError`. */
  call(call: OutgoingCall): Promise<unknown>;
  isOpen(): boolean;
  /** Resolves when the socket has ended, whoever ended it. */
  readonly ended: Promise<void>;
  /** Ends the socket at once; open calls are rejected. */
  terminate(): void;
}

type Pending = { readonly method: string; resolve(result: unknown): void; reject(error: HostError): void };

/** Opens a socket. Rejects with `HOST_UNREACHABLE` or `HOST_TLS_UNTRUSTED`, delivery `no`. */
export async function openConnection(options: ConnectionOptions): Promise<Connection> {
  const { url, tls } = options;
  // loaded with the first connection: it brings Node's HTTP and TLS with it
  const { WebSocket } = await import("ws");
  const socket = new WebSocket(url, {
    perMessageDeflate: false,
    handshakeTimeout: options.openMs,
    ...(url.protocol === "wss:" && {
      createConnection: () => connectTls(tls, { host: readHost(url), port: readPort(url) }),
    }),
  });
  const connection = new SocketConnection(socket, options);
  await new Promise<void>((resolve, reject) => {
    socket.once("open", resolve);
    socket.on("error", (error) => reject(connectError(url, error)));
  });
  return connection;
}

class SocketConnection implements Connection {
  readonly #socket: WebSocket;
  readonly #options: ConnectionOptions;
  readonly #pending = new Map<string, Pending>();
  readonly #ended = Promise.withResolvers<void>();
  #closeCode = 0;

  constructor(socket: WebSocket, options: ConnectionOptions) {
    this.#socket = socket;
    this.#options = options;
    const { signal } = options;
    const end = () => this.terminate();
    socket.on("message", (data, isBinary) => this.#hear(data, isBinary));
    socket.on("close", (code) => {
      signal.removeEventListener("abort", end);
      this.#loseAll(code);
    });
    signal.addEventListener("abort", end);
    if (signal.aborted) end();
  }

  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN;
  }

  terminate(): void {
    this.#socket.terminate();
  }

  call({ id, method, params, timeoutMs }: OutgoingCall): Promise<unknown> {
    const text = JSON.stringify({ jsonrpc: "2.0", id, method, params });
    const bytes = Buffer.byteLength(text);
    if (bytes > MESSAGE_LIMIT_BYTES) return Promise.reject(createTooLargeError(method, bytes));
    const { url, clock } = this.#options;
    if (!this.isOpen()) return this.ended.then(() => Promise.reject(createUnsentError(url, this.#closeCode)));
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const cancel = clock.after(timeoutMs, () => {
      this.#pending.delete(id);
      reject(createTimeoutError(method, timeoutMs));
    });
    this.#pending.set(id, {
      method,
      resolve: (result) => {
        cancel();
        resolve(result);
      },
      reject: (error) => {
        cancel();
        reject(error);
      },
    });
    this.#socket.send(text);
    return promise;
  }

  #hear(data: RawData, isBinary: boolean): void {
    const { url, logger, onNotification } = this.#options;
    const frame = readFrame(data, isBinary);
    if (frame === null) logger.warn({ host: url.host }, "the host sent a frame that is not understood");
    else if (frame.method !== undefined) onNotification(frame.method, frame.params);
    else this.#settle(frame);
  }

  #settle({ id, result, error }: Frame): void {
    const { logger, mask } = this.#options;
    const call = this.#pending.get(String(id));
    // Answers to calls given up on arrive here too.
    if (call === undefined) {
      logger.debug({ id }, "a late answer of the host is ignored");
      return;
    }
    this.#pending.delete(String(id));
    if (error === undefined) {
      call.resolve(result);
      return;
    }
    const fault = readRpcError(error, mask);
    const refused = REFUSED_CODES.includes(error.code) || fault.code === "HOST_SESSION_ENDED";
    call.reject(new HostError(fault, refused ? "no" : "yes"));
  }

  #loseAll(closeCode: number): void {
    this.#closeCode = closeCode;
    for (const [id, call] of this.#pending) {
      this.#pending.delete(id);
      call.reject(createLostError(call.method, closeCode));
    }
    this.#ended.resolve();
  }
}

function readFrame(data: RawData, isBinary: boolean): Frame | null {
  if (isBinary) return null;
  try {
    const frame = Frame.safeParse(parseExtendedJson(data.toString()));
    return frame.success ? frame.data : null;
  } catch {
    return null;
  }
}
