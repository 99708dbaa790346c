/**
 * Requests of one run: every hop resolved, decided, and dialled at exactly the address that was decided on.
 *
 * Invariants:
 * 1. No connection is opened to an address that `decide` has not allowed for this hop's host and port.
 * 2. A name is resolved once per hop; the connector never resolves (DNS rebinding finds nothing to change).
 * 3. Every hop leaves one audit record, without query or headers.
 * 4. Nothing is looked up for a hop whose scheme, method or port is refused wherever its name leads.
 */

import type { Response } from "undici";
import type {
  Answered,
  AuditRecord,
  NetworkPolicy,
  ScriptIoReply,
  ScriptIoRequest,
} from "../../../sandbox/contract.ts";
import type { WireError } from "../../../sandbox/protocol/ops.ts";
import { readPort } from "../url-parts.ts";
import type { Decision, Refusal } from "./decide.ts";
import { decideHop, type NetworkPorts } from "./decide-hop.ts";
import { type Dialer, openDialer } from "./dialer.ts";
import { HeldBytes, type RunBytes } from "./held-bytes.ts";
import { followRedirect, isRedirect, REDIRECTS } from "./redirect.ts";
import { createWireError, readReply, toWireError } from "./reply.ts";

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

  /** False if the host does not say so, or the run ends first: the request is refused either way. */
  async #isStarting(signal: AbortSignal): Promise<boolean> {
    try {
      return await raceAbort(this.#scope.policy.isStarting?.() ?? Promise.resolve(false), signal);
    } catch {
      return false;
    }
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
        const mayChange = decision.isUnpublished === true && (await this.#isStarting(signal));
        return { error: toRefusalError(url, decision, mayChange) };
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

function describeTarget(url: URL): string {
  return `${url.hostname}:${readPort(url)}`;
}

function toRefusalError(url: URL, { reason }: Refusal, mayChange: boolean): WireError {
  const message = `"${url.origin}" is not allowed: ${reason}`;
  return { name: "TypeError", message, code: "policy_denied", ...(mayChange && { mayChange }) };
}
