/**
 * Requests of one run: every hop resolved, decided, and dialled at exactly the address that was decided on.
 *
 * Invariants:
 * 1. No connection is opened to an address that `decide` has not allowed for this hop's host and port.
 * 2. A name is resolved once per hop; the connector never resolves (DNS rebinding finds nothing to change).
 * 3. Every hop leaves one audit record, without query or headers.
 * 4. Nothing is looked up for a hop whose scheme, method or port is refused wherever its name leads.
 */

import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { networkInterfaces } from "node:os";
import type { Agent, fetch, Response } from "undici";
import type {
  Answered,
  AuditRecord,
  NetworkPolicy,
  ScriptIoReply,
  ScriptIoRequest,
} from "../../../sandbox/contract.ts";
import type { WireError } from "../../../sandbox/protocol/ops.ts";
import { readMessage } from "../../core/codes/read-message.ts";
import { listListeningPorts } from "../../engine/system/listening-ports.ts";
import { readHost, readPort } from "../url-parts.ts";
import {
  asksPortsFirst,
  type Decision,
  decide,
  isLan,
  type Refusal,
  refuseLanPort,
  refuseUnresolved,
} from "./decide.ts";
import { HeldBytes, type ResponseBytes, type RunBytes } from "./held-bytes.ts";
import { readInTurns } from "./read-in-turns.ts";
import { followRedirect, isRedirect, REDIRECTS } from "./redirect.ts";

/** The world below HTTP; replaced in tests of names and addresses. */
export interface NetworkPorts {
  /** Addresses of a host name; rejects as node:dns does. */
  resolve(hostname: string): Promise<readonly string[]>;
  /** Addresses of this machine's interfaces. */
  ownAddresses(): readonly string[];
  /** Ports this engine listens on; none of them is reached. */
  ownPorts(): readonly number[];
}

/** One run, as the network knows it. */
export interface NetworkScope {
  readonly policy: NetworkPolicy;
  /** The host's LAN address may be a loopback one: a stand-in, or development. */
  readonly loopback: boolean;
  /** Most bytes of one body, decompressed. */
  readonly responseBytes: number;
  /** Shared bounds of what responses hold; default: bounds of its own. */
  readonly held?: RunBytes;
  readonly audit: (record: AuditRecord) => void;
}

/** The requests of one run. */
export interface NetworkSession {
  fetch(request: ScriptIoRequest, signal: AbortSignal): Promise<Answered<ScriptIoReply>>;
  close(): Promise<void>;
}

/** The system's resolver and interfaces. */
export const SYSTEM_NETWORK: NetworkPorts = {
  resolve: async (hostname) => (await lookup(hostname, { all: true })).map(({ address }) => address),
  ownAddresses: () =>
    Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .map(({ address }) => address),
  ownPorts: listListeningPorts,
};

/** Most bytes of a response's head. */
const HEAD_BYTES = 32 * 1024;

/** Opens the network for one run. */
export function openNetwork(scope: NetworkScope, ports: NetworkPorts): NetworkSession {
  return new RunNetwork(scope, ports);
}

class RunNetwork implements NetworkSession {
  readonly #scope: NetworkScope;
  readonly #ports: NetworkPorts;
  readonly #held: RunBytes;
  /** Where each origin was last allowed; the connector reads it and nothing else. */
  readonly #allowed = new Map<string, Decision & { allowed: true }>();
  #opened: Promise<Dialer> | null = null;

  constructor(scope: NetworkScope, ports: NetworkPorts) {
    this.#scope = scope;
    this.#ports = ports;
    this.#held = scope.held ?? new HeldBytes().openRun();
  }

  async fetch(request: ScriptIoRequest, signal: AbortSignal): Promise<Answered<ScriptIoReply>> {
    if (URL.parse(request.url) === null)
      return { error: { name: "TypeError", message: `"${request.url}" is not a URL` } };
    let hop = request;
    for (let hops = 0; ; hops++) {
      const answer = await this.#exchange(hop, signal);
      if ("error" in answer) return answer;
      const response = answer.ok;
      const location = response.headers.get("location");
      if (request.redirect === "manual" || !isRedirect(response.status) || location === null) {
        const { responseBytes } = this.#scope;
        return readReply(response, { url: hop.url, redirected: hops > 0 }, responseBytes, this.#held.open(), signal);
      }
      await response.body?.cancel();
      if (request.redirect === "error")
        return { error: createWireError("the answer is a redirect, which the script refuses") };
      if (hops === REDIRECTS) return { error: createWireError(`more than the allowed ${REDIRECTS} redirects`) };
      const next = followRedirect(hop, response.status, location);
      if (next === null) return { error: createWireError("the redirect's target is not a URL") };
      hop = next;
    }
  }

  async close(): Promise<void> {
    this.#held.close();
    await (await this.#opened)?.agent.destroy();
  }

  /** One hop: decided, dialled and noted. */
  async #exchange(request: ScriptIoRequest, signal: AbortSignal): Promise<Answered<Response>> {
    const { audit } = this.#scope;
    const url = new URL(request.url);
    const record = { kind: "fetch", method: request.method, target: describeTarget(url) } as const;
    try {
      const decision = await raceAbort(decideHop(request, url, this.#scope, this.#ports), signal);
      if (!decision.allowed) {
        audit({ ...record, allowed: false, reason: decision.reason });
        return { error: toRefusalError(url, decision) };
      }
      this.#allowed.set(url.origin, decision);
      this.#opened ??= openDialer(this.#allowed);
      const { agent, fetch } = await this.#opened;
      const response = await fetch(url, {
        method: request.method,
        headers: withoutForbidden(request.headers),
        body: request.body,
        redirect: "manual",
        dispatcher: agent,
        signal,
      });
      audit({ ...record, allowed: true, status: response.status });
      return { ok: response };
    } catch (error) {
      const fault = toWireError(error, signal);
      audit({ ...record, allowed: true, reason: fault.code ?? fault.name });
      return { error: fault };
    }
  }
}

interface Dialer {
  readonly agent: Agent;
  readonly fetch: typeof fetch;
}

/** Loads undici, which a run without requests does not need, and dials only where `allowed` says. */
async function openDialer(allowed: ReadonlyMap<string, Decision & { allowed: true }>): Promise<Dialer> {
  const { Agent, buildConnector, fetch } = await import("undici");
  // HTTP/1.1 only: nothing here has bounds for what HTTP/2 adds (streams, pushes, compressed heads, frames without end).
  const connect = buildConnector({ allowH2: false });
  const connectLeniently = buildConnector({ allowH2: false, rejectUnauthorized: false });
  const agent = new Agent({
    allowH2: false,
    maxHeaderSize: HEAD_BYTES,
    connect: (options, callback) => {
      const at = allowed.get(`${options.protocol}//${options.host ?? ""}`);
      if (at === undefined) return callback(new Error("the origin was not allowed"), null);
      const dial = at.verifyTls ? connect : connectLeniently;
      const name = options.hostname.replace(/^\[|\]$/g, "");
      const target = { ...options, hostname: at.address, ...(isIP(name) === 0 && { servername: name }) };
      dial(target, (...connected) => {
        const [error, socket] = connected;
        if (error === null) readInTurns(socket);
        callback(...connected);
      });
    },
  });
  return { agent, fetch };
}

/** A resolver may take half a minute over a name whose server keeps silent; whoever aborts does not wait for it. */
async function raceAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => aborted.reject(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([promise, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

async function decideHop(
  request: ScriptIoRequest,
  url: URL,
  { policy, loopback }: NetworkScope,
  ports: NetworkPorts,
): Promise<Decision> {
  const known = {
    method: request.method,
    url,
    lanIp: policy.lanIp,
    internet: policy.internet,
    readOnly: policy.readOnly,
    ownAddresses: [...ports.ownAddresses(), ...(policy.hostAddresses ?? [])],
    ownPorts: ports.ownPorts(),
    loopback,
  };
  const early = refuseUnresolved(known);
  if (early !== null) return early;
  let lanPorts: readonly number[] | null = null;
  if (asksPortsFirst(url)) {
    lanPorts = await policy.lanPorts();
    const refused = refuseLanPort({ ...known, lanPorts });
    if (refused !== null) return refused;
  }
  const name = readHost(url);
  const addresses = isIP(name) === 0 ? await ports.resolve(name) : [name];
  if (lanPorts === null && addresses.some((address) => isLan(address, known))) lanPorts = await policy.lanPorts();
  return decide({ ...known, addresses, lanPorts: lanPorts ?? [] });
}

/** Headers that frame the message or name the connection: they are the engine's to set (no smuggling). */
const FORBIDDEN: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "expect",
  "host",
  "keep-alive",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

function withoutForbidden(headers: ScriptIoRequest["headers"]): [string, string][] {
  return headers.filter(([name]) => !FORBIDDEN.has(name.toLowerCase())).map(([name, value]) => [name, value]);
}

/** The whole body, as far as it is allowed; decompressed bytes count. Where there is no room for more it stands still. */
async function readReply(
  response: Response,
  hop: { readonly url: string; readonly redirected: boolean },
  limit: number,
  held: ResponseBytes,
  signal: AbortSignal,
): Promise<Answered<ScriptIoReply>> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response.body ?? []) {
      bytes += chunk.byteLength;
      if (bytes > limit) {
        held.release();
        const message = `a response is larger than the allowed ${limit} bytes`;
        return { error: { name: "Error", message, code: "quota_response" } };
      }
      await held.take(chunk.byteLength, signal);
      chunks.push(chunk);
    }
  } catch (error) {
    held.release();
    return { error: toWireError(error, signal) };
  }
  const head = {
    status: response.status,
    statusText: response.statusText,
    headers: [...response.headers],
    ...hop,
  };
  held.finish();
  return { ok: { head, body: Buffer.concat(chunks), taken: held.release } };
}

function describeTarget(url: URL): string {
  return `${url.hostname}:${readPort(url)}`;
}

function toRefusalError(url: URL, { reason, mayChange }: Refusal): WireError {
  const message = `"${url.origin}" is not allowed: ${reason}`;
  return { name: "TypeError", message, code: "policy_denied", ...(mayChange && { mayChange }) };
}

function createWireError(message: string): WireError {
  return { name: "TypeError", message: `fetch failed: ${message}` };
}

/** undici throws `TypeError: fetch failed` with the reason as its cause. */
function toWireError(error: unknown, signal: AbortSignal): WireError {
  if (signal.aborted) return { name: "AbortError", message: "The operation was aborted" };
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const message = readMessage(cause);
  const code = cause instanceof Error && "code" in cause && typeof cause.code === "string" ? { code: cause.code } : {};
  return { ...createWireError(message), ...code };
}
