/** Who may call: checked before any route sees the request. Pure, apart from the rate limiter's own table. */
import { createHash, timingSafeEqual } from "node:crypto";
import { isIP } from "node:net";
import { type PageOfRequest, READS, refuseForeignPage } from "./foreign-pages.ts";
import { createProblemDetails, type ProblemDetails } from "./problem-details.ts";
import { type Rate, RateLimit } from "./rate-limit.ts";

export interface GuardOptions {
  /** Bearer token asked of every caller; null on loopback. */
  readonly token: string | null;
  /** Names beside IP addresses and `localhost` that may stand in the Host header. */
  readonly allowedHosts: readonly string[];
  /** Take the client's address from `X-Forwarded-For`; only behind a proxy that sets it. */
  readonly trustProxy: boolean;
  /** Changing requests (and wrong tokens) one address may send: a burst, refilled per second. */
  readonly rate: Rate;
  /** Monotonic ms. */
  readonly now: () => number;
  /** Whether a request carries a session of the client at this address. Default: none does. */
  readonly hasSession?: (cookies: string | undefined, client: string) => boolean;
  /** Requests that need neither token nor session: the log-in, and the files of a page that asks for it. Default: none. */
  readonly isPublic?: (method: string, path: string) => boolean;
  /** Paths that a link of another site may lead to: documents that hold nothing of anybody. Default: none. */
  readonly isDocument?: (path: string) => boolean;
}

export interface GuardedRequest extends PageOfRequest {
  readonly method: string;
  readonly path: string;
  readonly authorization: string | undefined;
  /** The `Cookie` header. */
  readonly cookies: string | undefined;
  readonly forwardedFor: string | undefined;
  readonly remoteAddress: string;
}

/** Returns the refusal, or null when the request may pass. */
export type Guard = (request: GuardedRequest) => ProblemDetails | null;

export function createGuard(options: GuardOptions): Guard {
  const expected = options.token === null ? null : digest(options.token);
  const { hasSession = () => false, isPublic = () => false, isDocument = () => false } = options;
  const limit = new RateLimit(options.rate, options.now);
  const guesses = new RateLimit(options.rate, options.now);

  return (request) => {
    const address = readClientAddress(request, options.trustProxy);
    if (!isHostAllowed(request.host, options.allowedHosts)) {
      return createProblemDetails(
        "HTTP_HOST_REFUSED",
        `the Host header "${request.host ?? ""}" names no address of this server`,
      );
    }
    const reads = READS.has(request.method);
    // A page of another origin can't see the answer to a read, but it can ask for it: an image, thousands of streams.
    const foreign = reads && isDocument(request.path) ? null : refuseForeignPage(request);
    if (foreign !== null) return foreign;
    const needsToken = expected !== null && !isPublic(request.method, request.path);
    if (needsToken && !hasSession(request.cookies, address)) {
      // Whoever guesses too often is refused before its guess is looked at: the right one would show itself.
      const attempts = request.authorization === undefined ? limit : guesses;
      if (attempts.isSpent(address)) return createRateLimited();
      if (!matchesToken(request.authorization, expected)) {
        attempts.take(address);
        return createProblemDetails("HTTP_UNAUTHORIZED", "the request carries no valid bearer token");
      }
    }
    if (!reads && limit.take(address)) return createRateLimited();
    return null;
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

/** The address a request came from: of the client, where a trusted proxy says it. */
export function readClientAddress(
  request: Pick<GuardedRequest, "forwardedFor" | "remoteAddress">,
  trustProxy: boolean,
): string {
  const forwarded = trustProxy ? request.forwardedFor?.split(",").at(-1)?.trim() : undefined;
  return forwarded ?? request.remoteAddress;
}

function createRateLimited(): ProblemDetails {
  return createProblemDetails("HTTP_RATE_LIMITED", "too many requests came from this address", { retryAfter: 1 });
}
