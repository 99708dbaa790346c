/**
 * Browsers that have shown the token, each by a cookie that says so itself: it outlives a restart of the server, and ends
 * with the token it was made of.
 *
 * Invariants:
 * 1. A cookie counts for the address it was given to alone: browsers send it to every port of this machine, so that any app
 *    with a page here gets to see it.
 * 2. No script reads it (HttpOnly), no other site's page has it sent (SameSite=Strict), and the token is not in it.
 * 3. An address that has guessed too often is refused before its guess is looked at.
 * 4. Who gets to see a cookie can try tokens on it, but each try takes the work of one `scrypt`: a person may have chosen
 *    the token.
 * 5. A cookie counts beside a header alone that a page of another origin can't send without asking first: browsers lend the
 *    cookie to the pages of every port of this machine.
 * 6. What a session hears ends with it, in every tab and wherever its cookie went.
 */
import { createHmac, scrypt, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { promisify } from "node:util";
import { EngineError } from "../core/codes/problems.ts";
import { RateLimit } from "./rate-limit.ts";

/** The header beside which a cookie counts, whatever it says. */
export const SESSION_HEADER = "x-slipway";

/** Name of the cookie of the server at a port: browsers keep one of a name for all ports of a machine. */
export function nameCookie(port: number): string {
  return `slipway_session_${port}`;
}

/** The `Cookie` header of a request, where it counts. */
export function readCookies(headers: IncomingHttpHeaders): string | undefined {
  return headers[SESSION_HEADER] === undefined ? undefined : headers.cookie;
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
  /** Makes an id nobody can guess. */
  readonly createId: () => string;
  /** Name of the cookie, asked for once somebody comes. */
  readonly cookieName: () => string;
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
   * Opens a session of a client for the token; `isSecure`: the browser came by https. Throws `HTTP_UNAUTHORIZED` for another
   * one, and `HTTP_RATE_LIMITED` for whatever comes after too many of them.
   */
  async open(token: string, client: string, isSecure: boolean): Promise<OpenedSession> {
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
    const value = `${expires}.${id}.${sign(await this.#deriveKey(), expires, id, client)}`;
    return { expires, cookie: this.#writeCookie(value, SESSION_MS / 1000, isSecure) };
  }

  get cookieName(): string {
    return this.#options.cookieName();
  }

  /** Resolves once the sessions a request may carry can be looked at; null where they can at once. */
  prepare(cookies: string | undefined): Promise<unknown> | null {
    return this.#key !== null || this.#readCookies(cookies).length === 0 ? null : this.#deriveKey();
  }

  /**
   * The id of the session of this client a request carries, which opens nothing; null where it carries none. `cookies` is its
   * `Cookie` header, for which all is prepared.
   */
  findId(cookies: string | undefined, client: string): string | null {
    return (
      this.#readCookies(cookies)
        .map((value) => this.#read(value, client))
        .find((id) => id !== null) ?? null
    );
  }

  /** Ends the session a request carries; answers the `Set-Cookie` that has the browser forget it. */
  end(cookies: string | undefined, client: string): string {
    for (const value of this.#readCookies(cookies)) {
      const id = this.#read(value, client);
      if (id === null) continue;
      const [oldest] = this.#ended;
      if (this.#ended.size >= ENDED_LIMIT && oldest !== undefined) this.#ended.delete(oldest);
      this.#ended.add(id);
      for (const stop of this.#running.get(id) ?? []) stop();
    }
    return this.#writeCookie("", 0, false);
  }

  /** Has what goes on for the sessions a request carries ended with each of them; the answer forgets it. */
  endWith(cookies: string | undefined, client: string, stop: () => void): () => void {
    const ids = this.#readCookies(cookies).flatMap((value) => this.#read(value, client) ?? []);
    for (const id of ids) this.#running.set(id, (this.#running.get(id) ?? new Set()).add(stop));
    return () => {
      for (const id of ids) {
        const running = this.#running.get(id);
        running?.delete(stop);
        if (running?.size === 0) this.#running.delete(id);
      }
    };
  }

  /** The id of an open session; null for any other value. */
  #read(value: string, client: string): string | null {
    const [, time = "", id = "", mac = ""] = /^(\d{1,16})\.([\w-]{1,64})\.([\w-]{43})$/.exec(value) ?? [];
    const expires = Number(time);
    if (id === "" || this.#key === null || !isSame(mac, sign(this.#key, expires, id, client))) return null;
    return expires > this.#options.now() && !this.#ended.has(id) ? id : null;
  }

  #writeCookie(value: string, maxAge: number, isSecure: boolean): string {
    const attributes = `Max-Age=${maxAge}; Path=/; HttpOnly; SameSite=Strict${isSecure ? "; Secure" : ""}`;
    return `${this.cookieName}=${value}; ${attributes}`;
  }

  /** The cookies of our name, in order: any page of this machine can set others, which browsers may send before ours. */
  #readCookies(cookies = ""): readonly string[] {
    const named = `${this.cookieName}=`;
    const pairs = cookies.split(";").map((cookie) => cookie.trim());
    return pairs.flatMap((pair) => (pair.startsWith(named) ? [pair.slice(named.length)] : []));
  }

  /** Once, whoever asks for it. */
  #deriveKey(): Promise<Buffer> {
    this.#deriving ??= deriveKey(this.#options.token, "slipway session", KEY_BYTES, WORK).then((key) => {
      this.#key = key;
      return key;
    });
    return this.#deriving;
  }
}

const deriveKey: (token: string, salt: string, bytes: number, work: typeof WORK) => Promise<Buffer> = promisify(scrypt);

function sign(key: Buffer, expires: number, id: string, client: string): string {
  return createHmac("sha256", key).update(`${expires}.${id}.${client}`).digest("base64url");
}

/** Compares digests, so that neither content nor length shows in the time taken. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHmac("sha256", "compare").update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
