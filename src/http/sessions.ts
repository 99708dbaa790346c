/**
 * Sessions of browsers that have shown the token. A session is a signed cookie and a key that only the page keeps; it outlives
 * a restart of the server, and ends with the token it was made of.
 *
 * Invariants:
 * 1. The cookie counts only beside its key, the value of the header `x-slipway`. Browsers send cookies to every port of a
 *    machine; the key lies in the storage of the page's origin, which no other port sees.
 * 2. The cookie counts only for the client address it was given to.
 * 3. No script reads the cookie (HttpOnly), no other site's page sends it (SameSite=Strict), and the token is not in it.
 * 4. An address over its limit of guesses is refused before the comparison.
 * 5. A stolen cookie and key allow offline guessing of the token; `scrypt` makes each guess expensive.
 * 6. A session's streams end with it, in every tab.
 */
import { createHmac, scrypt, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { promisify } from "node:util";
import { EngineError } from "../core/codes/problems.ts";
import { type Client, countClient } from "./client-address.ts";
import { RateLimit } from "./rate-limit.ts";

/** The header that carries a session's key. */
export const SESSION_HEADER = "x-slipway";

/** Name of the cookie of the server at a port: browsers keep one of a name for all ports of a machine. */
export function nameCookie(port: number): string {
  return `slipway_session_${port}`;
}

/** What a request shows of a session. */
export interface ShownSession {
  /** The `Cookie` header. */
  readonly cookies: string;
  readonly key: string;
  readonly client: Client;
}

/** What a request shows of a session; null without a key or a cookie. */
export function readShown(headers: IncomingHttpHeaders, client: Client): ShownSession | null {
  const key = headers[SESSION_HEADER];
  const { cookie: cookies } = headers;
  return typeof key === "string" && cookies !== undefined ? { cookies, key, client } : null;
}

/** How long a session lasts, in ms. */
const SESSION_MS = 30 * 24 * 3_600_000;
/** Wrong tokens of one address. */
const GUESSES = { burst: 10, perSecond: 0.1 };
/** Seconds after which the next one is looked at. */
const WAIT_S = 1 / GUESSES.perSecond;
/** Work of a guess: 32 MB and about 0.1 s. */
const WORK = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };
const KEY_BYTES = 32;
/** Most sessions that were ended before their time and are remembered. */
const ENDED_LIMIT = 10_000;

export interface SessionOptions {
  readonly token: string;
  /** UTC ms. */
  readonly now: () => number;
  /** Monotonic ms. */
  readonly monotonic: () => number;
  /** Makes an unguessable text: the id of a session, or its key. */
  readonly createSecret: () => string;
  /** Name of the cookie, asked for once somebody comes. */
  readonly cookieName: () => string;
}

/** A session as its browser gets it. */
export interface OpenedSession {
  /** For the page to keep, and to send as `x-slipway`. */
  readonly key: string;
  /** UTC ms. */
  readonly expires: number;
  /** Value of `Set-Cookie`. */
  readonly cookie: string;
}

export class Sessions {
  readonly #options: SessionOptions;
  /** null until somebody comes with a cookie or the token: an idle server has not done the work. */
  #key: Buffer | null = null;
  #deriving: Promise<Buffer> | null = null;
  readonly #guesses: RateLimit;
  /** Ids of sessions that were ended. */
  readonly #ended = new Set<string>();
  /** What goes on for a session, by its id: the ways to end it. */
  readonly #running = new Map<string, Set<() => void>>();

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#guesses = new RateLimit(GUESSES, options.monotonic);
  }

  /**
   * Opens a session of a client for the token; `isSecure`: the browser came by https. Throws `HTTP_UNAUTHORIZED` for a wrong
   * token, and `HTTP_RATE_LIMITED` after too many of them.
   */
  async open(token: string, client: Client, isSecure: boolean): Promise<OpenedSession> {
    const counted = countClient(client);
    if (this.#guesses.isSpent(counted)) {
      throw new EngineError("HTTP_RATE_LIMITED", "too many wrong tokens came from this address", {
        retryAfter: WAIT_S,
      });
    }
    if (!isSame(token, this.#options.token)) {
      this.#guesses.take(counted);
      throw new EngineError("HTTP_UNAUTHORIZED", "the token is wrong");
    }
    const expires = this.#options.now() + SESSION_MS;
    const [id, key] = [this.#options.createSecret(), this.#options.createSecret()];
    const value = `${expires}.${id}.${sign(await this.#deriveKey(), { expires, id, key, client })}`;
    return { expires, key, cookie: this.#writeCookie(value, SESSION_MS / 1000, isSecure) };
  }

  get cookieName(): string {
    return this.#options.cookieName();
  }

  /** Resolves once the session a request shows can be checked; null when it can be at once. */
  prepare(shown: ShownSession | null): Promise<unknown> | null {
    return this.#key !== null || this.#readCookies(shown).length === 0 ? null : this.#deriveKey();
  }

  /** The id of the session a request shows, which opens nothing; null without one. Call `prepare` before. */
  findId(shown: ShownSession | null): string | null {
    return this.#readIds(shown)[0] ?? null;
  }

  /** Ends the session a request shows. Returns the `Set-Cookie` that makes the browser forget it. */
  end(shown: ShownSession | null): string {
    for (const id of this.#readIds(shown)) {
      const [oldest] = this.#ended;
      if (this.#ended.size >= ENDED_LIMIT && oldest !== undefined) this.#ended.delete(oldest);
      this.#ended.add(id);
      for (const stop of this.#running.get(id) ?? []) stop();
    }
    return this.#writeCookie("", 0, false);
  }

  /** Calls `stop` when the session a request shows ends. Returns the function that cancels this. */
  endWith(shown: ShownSession | null, stop: () => void): () => void {
    const ids = this.#readIds(shown);
    for (const id of ids) this.#running.set(id, (this.#running.get(id) ?? new Set()).add(stop));
    return () => {
      for (const id of ids) {
        const running = this.#running.get(id);
        running?.delete(stop);
        if (running?.size === 0) this.#running.delete(id);
      }
    };
  }

  #readIds(shown: ShownSession | null): readonly string[] {
    return shown === null ? [] : this.#readCookies(shown).flatMap((value) => this.#read(value, shown) ?? []);
  }

  /** The id of an open session; null for any other value. */
  #read(value: string, { key, client }: ShownSession): string | null {
    const [, time = "", id = "", mac = ""] = /^(\d{1,16})\.([\w-]{1,64})\.([\w-]{43})$/.exec(value) ?? [];
    const expires = Number(time);
    if (id === "" || this.#key === null || !isSame(mac, sign(this.#key, { expires, id, key, client }))) return null;
    return expires > this.#options.now() && !this.#ended.has(id) ? id : null;
  }

  #writeCookie(value: string, maxAge: number, isSecure: boolean): string {
    const attributes = `Max-Age=${maxAge}; Path=/; HttpOnly; SameSite=Strict${isSecure ? "; Secure" : ""}`;
    return `${this.cookieName}=${value}; ${attributes}`;
  }

  /** The cookies of our name, in order: any page of this machine can set others, which browsers may send before ours. */
  #readCookies(shown: ShownSession | null): readonly string[] {
    const named = `${this.cookieName}=`;
    const pairs = (shown?.cookies ?? "").split(";").map((cookie) => cookie.trim());
    return pairs.flatMap((pair) => (pair.startsWith(named) ? [pair.slice(named.length)] : []));
  }

  #deriveKey(): Promise<Buffer> {
    this.#deriving ??= deriveKey(this.#options.token, "slipway session", KEY_BYTES, WORK).then((key) => {
      this.#key = key;
      return key;
    });
    return this.#deriving;
  }
}

const deriveKey: (token: string, salt: string, bytes: number, work: typeof WORK) => Promise<Buffer> = promisify(scrypt);

interface Signed {
  readonly expires: number;
  readonly id: string;
  readonly key: string;
  readonly client: Client;
}

/** The lengths of id and key are checked or our own, and the address comes last: no two sessions sign one text. */
function sign(secret: Buffer, { expires, id, key, client }: Signed): string {
  const keyDigest = createHmac("sha256", "session key").update(key).digest("base64url");
  return createHmac("sha256", secret).update(`${expires}.${id}.${keyDigest}.${client.address}`).digest("base64url");
}

/** Compares digests, so that neither content nor length shows in the time taken. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHmac("sha256", "compare").update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
