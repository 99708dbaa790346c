/** Who may call: checked before any route sees the request. Pure, apart from the rate limiters' own tables. */
import { createHash, timingSafeEqual } from "node:crypto";
import { isIP } from "node:net";
import type { Client, Counted } from "./client-address.ts";
import { type PageOfRequest, READS, refuseForeignPage } from "./foreign-pages.ts";
import { KnownClients } from "./known-clients.ts";
import { createProblemDetails, type ProblemDetails } from "./problem-details.ts";
import { type Rate, RateLimit } from "./rate-limit.ts";

export interface GuardOptions {
  /** Bearer token asked of every caller; null on loopback. */
  readonly token: string | null;
  /** Names beside IP addresses and `localhost` that may stand in the Host header. */
  readonly allowedHosts: readonly string[];
  /** How often a session may change something, and an address change something, log in, or send a wrong token: each apart. */
  readonly rate: Rate;
  /** Monotonic ms. */
  readonly now: () => number;
  /** Requests that need neither token nor session: the log-in, and the files of a page that asks for it. Default: none. */
  readonly isPublic?: (method: string, path: string) => boolean;
  /** Public reads that cost work: their rate is limited too. Default: none. */
  readonly isCounted?: (path: string) => boolean;
  /** Clients that do not share the limits of their network. Default: none. */
  readonly known?: KnownClients;
  /** Paths that a link of another site may lead to: documents that hold nothing of anybody. Default: none. */
  readonly isDocument?: (path: string) => boolean;
}

export interface GuardedRequest extends PageOfRequest {
  readonly method: string;
  readonly path: string;
  readonly authorization: string | undefined;
  /** Id of the open session it carries; read after the host was checked, because looking for it costs work. */
  readonly session: string | null;
  readonly client: Client;
}

/** Returns the refusal, or null when the request may pass. */
export type Guard = (request: GuardedRequest) => ProblemDetails | null;

export function createGuard(options: GuardOptions): Guard {
  const expected = options.token === null ? null : digest(options.token);
  const { isPublic = () => false, isCounted = () => false, isDocument = () => false } = options;
  const known = options.known ?? new KnownClients();
  const createLimit = () => new RateLimit(options.rate, options.now);
  // Separate limits: a hostile page shares its visitor's address and must not use up their log-ins.
  const [changes, logIns, publicReads, guesses] = [createLimit(), createLimit(), createLimit(), createLimit()];

  const refuseStranger = (authorization: string | undefined, client: readonly Counted[], token: Buffer) => {
    // A missing token is not a guess. Clients over the limit are refused before the comparison: a different answer would
    // reveal a hit.
    if (authorization !== undefined && guesses.isSpent(client)) return createRateLimited();
    if (matchesToken(authorization, token)) return null;
    if (authorization !== undefined) guesses.take(client);
    return createProblemDetails("HTTP_UNAUTHORIZED", "the request carries no valid bearer token");
  };

  return (request) => {
    const { method, path } = request;
    if (!isHostAllowed(request.host, options.allowedHosts)) {
      return createProblemDetails(
        "HTTP_HOST_REFUSED",
        `the Host header "${request.host ?? ""}" names no address of this server`,
      );
    }
    const reads = READS.has(method);
    // A page of another origin can't see the answer to a read, but it can ask for it: an image, thousands of streams.
    const foreign = reads && isDocument(path) ? null : refuseForeignPage(request);
    if (foreign !== null) return foreign;
    const client = known.count(request.client);
    if (isPublic(method, path)) {
      if (reads && !isCounted(path)) return null;
      return (reads ? publicReads : logIns).take(client) ? createRateLimited() : null;
    }
    const { session } = request;
    if (expected !== null && session === null) {
      const refusal = refuseStranger(request.authorization, client, expected);
      if (refusal !== null) return refusal;
    }
    return !reads && changes.take(session === null ? client : [{ name: `session ${session}`, times: 1 }])
      ? createRateLimited()
      : null;
  };
}

/**
 * DNS rebinding needs a name the attacker owns in the Host header, so addresses and `localhost` pass and names have to
 * be listed.
 */
export function isHostAllowed(host: string | undefined, allowed: readonly string[]): boolean {
  if (host === undefined) return false;
  const match = /^(?:\[([0-9a-f:.]+)\]|([^:]+))(?::\d{1,5})?$/i.exec(host);
  const name = (match?.[1] ?? match?.[2] ?? "").toLowerCase();
  return isIP(name) !== 0 || name === "localhost" || allowed.includes(name);
}

/** Compares digests, so that neither content nor length of the token shows in the time taken. */
function matchesToken(authorization: string | undefined, expected: Buffer): boolean {
  const given = /^Bearer ([^\s]+)$/i.exec(authorization ?? "")?.[1];
  return timingSafeEqual(digest(given ?? ""), expected) && given !== undefined;
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

function createRateLimited(): ProblemDetails {
  return createProblemDetails("HTTP_RATE_LIMITED", "too many requests came from this address", { retryAfter: 1 });
}
