/**
 * Browsers that have shown the token, each by a cookie that says so itself: it outlives a restart of the server, and ends
 * with the token it was made of.
 *
 * Invariants:
 * 1. A cookie counts for the address it was given to alone: browsers send it to every port of this machine, so that any app
 *    with a page here gets to see it.
 * 2. No script reads it (HttpOnly), no other site's page has it sent (SameSite=Strict), and the token is not in it.
 * 3. An address that has guessed too often is refused before its guess is looked at.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { EngineError } from "../core/codes/problems.ts";
import { RateLimit } from "./rate-limit.ts";

/** Name of the cookie. */
export const SESSION_COOKIE = "slipway_session";
/** How long a session lasts, in ms. */
const SESSION_MS = 30 * 24 * 3_600_000;
/** Wrong tokens of one address. */
const GUESSES = { burst: 10, perSecond: 0.1 };
/** Seconds after which the next one is looked at. */
const WAIT_S = 1 / GUESSES.perSecond;
/** Most sessions that were ended before their time and are remembered. */
const ENDED_LIMIT = 10_000;

export interface SessionOptions {
  readonly token: string;
  /** UTC ms. */
  readonly now: () => number;
  /** Monotonic ms. */
  readonly monotonic: () => number;
  /** Makes an id nobody can guess. */
  readonly createId: () => string;
}

/** A session as its browser is told of it. */
export interface OpenedSession {
  /** UTC ms. */
  readonly expires: number;
  /** Value of `Set-Cookie`. */
  readonly cookie: string;
}

export class Sessions {
  readonly #options: SessionOptions;
  readonly #key: Buffer;
  readonly #guesses: RateLimit;
  /** Ids of sessions that were ended. */
  readonly #ended = new Set<string>();

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#key = createHmac("sha256", options.token).update("slipway session").digest();
    this.#guesses = new RateLimit(GUESSES, options.monotonic);
  }

  /**
   * Opens a session of a client for the token; `isSecure`: the browser came by https. Throws `HTTP_UNAUTHORIZED` for another
   * one, and `HTTP_RATE_LIMITED` for whatever comes after too many of them.
   */
  open(token: string, client: string, isSecure: boolean): OpenedSession {
    if (this.#guesses.isSpent(client)) {
      throw new EngineError("HTTP_RATE_LIMITED", "too many wrong tokens came from this address", {
        retryAfter: WAIT_S,
      });
    }
    if (!isSame(token, this.#options.token)) {
      this.#guesses.take(client);
      throw new EngineError("HTTP_UNAUTHORIZED", "the token is wrong");
    }
    const expires = this.#options.now() + SESSION_MS;
    const id = this.#options.createId();
    const value = `${expires}.${id}.${this.#sign(expires, id, client)}`;
    return { expires, cookie: writeCookie(value, SESSION_MS / 1000, isSecure) };
  }

  /** Whether a request carries a session of this client; `cookies` is its `Cookie` header. */
  isOpen(cookies: string | undefined, client: string): boolean {
    return readCookies(cookies).some((value) => this.#read(value, client) !== null);
  }

  /** Ends the session a request carries; answers the `Set-Cookie` that has the browser forget it. */
  end(cookies: string | undefined, client: string): string {
    for (const value of readCookies(cookies)) {
      const id = this.#read(value, client);
      if (id === null) continue;
      const [oldest] = this.#ended;
      if (this.#ended.size >= ENDED_LIMIT && oldest !== undefined) this.#ended.delete(oldest);
      this.#ended.add(id);
    }
    return writeCookie("", 0, false);
  }

  /** The id of an open session; null for any other value. */
  #read(value: string, client: string): string | null {
    const [, time = "", id = "", mac = ""] = /^(\d{1,16})\.([\w-]{1,64})\.([\w-]{43})$/.exec(value) ?? [];
    const expires = Number(time);
    if (id === "" || !isSame(mac, this.#sign(expires, id, client))) return null;
    return expires > this.#options.now() && !this.#ended.has(id) ? id : null;
  }

  #sign(expires: number, id: string, client: string): string {
    return createHmac("sha256", this.#key).update(`${expires}.${id}.${client}`).digest("base64url");
  }
}

function writeCookie(value: string, maxAge: number, isSecure: boolean): string {
  return `${SESSION_COOKIE}=${value}; Max-Age=${maxAge}; Path=/; HttpOnly; SameSite=Strict${isSecure ? "; Secure" : ""}`;
}

/** The cookies of our name, in order: any page of this machine can set others, which browsers may send before ours. */
function readCookies(cookies = ""): readonly string[] {
  const pairs = cookies.split(";").map((cookie) => cookie.trim());
  return pairs.flatMap((pair) => (pair.startsWith(NAMED) ? [pair.slice(NAMED.length)] : []));
}

const NAMED = `${SESSION_COOKIE}=`;

/** Compares digests, so that neither content nor length shows in the time taken. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHmac("sha256", "compare").update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
