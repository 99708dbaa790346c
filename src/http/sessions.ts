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
 * 6. Every open response to a session's requests ends with it, in every tab.
 * 7. A request costs eight signatures at most, whatever cookies it carries.
 */
import { createHmac, scrypt, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { promisify } from "node:util";
import { EngineError } from "../core/codes/problems.ts";
import type { Clock } from "../engine/ports/environment.ts";
import type { Client } from "./client-address.ts";
import { KnownClients } from "./known-clients.ts";
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

/** What a request shows of a session; null without a cookie or a well-formed key. */
export function readShown(headers: IncomingHttpHeaders, client: Client): ShownSession | null {
  const key = headers[SESSION_HEADER];
  const { cookie: cookies } = headers;
  return typeof key === "string" && KEY.test(key) && cookies !== undefined ? { cookies, key, client } : null;
}

/** A session's key: 32 bytes as base64url. */
const KEY = /^[\w-]{43}$/;
/** Cookies of our name that are compared. */
const COOKIE_LIMIT = 8;
/** How long a session lasts, in ms. */
const SESSION_MS = 30 * 24 * 3_600_000;
/** Wrong tokens of one address. */
const GUESSES = { burst: 10, perSecond: 0.1 };
/** Seconds after which the next one is looked at. */
const WAIT_S = 1 / GUESSES.perSecond;
/** Work of a guess: 32 MB and about 0.1 s. */
const WORK = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };
const KEY_BYTES = 32;
/** A cookie's time, id and signature. */
const FORM = /^(\d{1,16})\.([\w-]{1,64})\.([\w-]{43})$/;
/** Most sessions that were ended before their time and are remembered. */
const ENDED_LIMIT = 10_000;

export interface SessionOptions {
  readonly token: string;
  readonly clock: Clock;
  /** Clients that do not share the limits of their network. Default: none. */
  readonly known?: KnownClients;
  /** Makes 32 unguessable bytes as base64url: the id of a session, or its key. */
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

/** An open session of a request. */
export interface FoundSession {
  /** Names it, and opens nothing. */
  readonly id: string;
  /** UTC ms. */
  readonly expires: number;
}

/** What ends with a session, and the timer that ends it. */
interface Running {
  readonly stops: Set<() => void>;
  cancel: () => void;
}

export class Sessions {
  readonly #options: SessionOptions;
  readonly #known: KnownClients;
  /** null until somebody comes with a cookie or the token: an idle server has not done the work. */
  #key: Buffer | null = null;
  #deriving: Promise<Buffer> | null = null;
  readonly #guesses: RateLimit;
  /** Ids of sessions that were ended. */
  readonly #ended = new Set<string>();
  /** By the id of the session. */
  readonly #running = new Map<string, Running>();

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#known = options.known ?? new KnownClients();
    this.#guesses = new RateLimit(GUESSES, () => options.clock.monotonic());
  }

  /**
   * Opens a session of a client for the token; `isSecure`: the browser came by https. Throws `HTTP_UNAUTHORIZED` for a wrong
   * token, and `HTTP_RATE_LIMITED` after too many of them.
   */
  async open(token: string, client: Client, isSecure: boolean): Promise<OpenedSession> {
    const counted = this.#known.count(client);
    if (this.#guesses.isSpent(counted)) {
      throw new EngineError("HTTP_RATE_LIMITED", "too many wrong tokens came from this address", {
        retryAfter: WAIT_S,
      });
    }
    if (!isToken(token, this.#options.token)) {
      this.#guesses.take(counted);
      throw new EngineError("HTTP_UNAUTHORIZED", "the token is wrong");
    }
    const expires = this.#options.clock.now() + SESSION_MS;
    const [id, key] = [this.#options.createSecret(), this.#options.createSecret()];
    const value = `${expires}.${id}.${sign(await this.#deriveKey(), { expires, id, keyDigest: digestKey(key), client })}`;
    return { expires, key, cookie: this.#writeCookie(value, SESSION_MS / 1000, isSecure) };
  }

  get cookieName(): string {
    return this.#options.cookieName();
  }

  /** Resolves once the session a request shows can be checked; null when it can be at once. */
  prepare(shown: ShownSession | null): Promise<unknown> | null {
    return this.#key !== null || this.#readCookies(shown).length === 0 ? null : this.#deriveKey();
  }

  /** The session a request shows; null without one. Call `prepare` before. */
  find(shown: ShownSession | null): FoundSession | null {
    if (shown === null || this.#key === null) return null;
    const keyDigest = digestKey(shown.key);
    const forms = this.#readCookies(shown)
      .map((cookie) => FORM.exec(cookie))
      .filter((form) => form !== null);
    for (const form of forms.slice(0, COOKIE_LIMIT)) {
      const found = this.#read(form, keyDigest, shown.client, this.#key);
      if (found !== null) return found;
    }
    return null;
  }

  /** Ends the session a request shows. Returns the `Set-Cookie` that makes the browser forget it. */
  end(shown: ShownSession | null): string {
    const found = this.find(shown);
    if (found !== null) {
      const [oldest] = this.#ended;
      if (this.#ended.size >= ENDED_LIMIT && oldest !== undefined) this.#ended.delete(oldest);
      this.#ended.add(found.id);
      this.#stop(found.id);
    }
    return this.#writeCookie("", 0, false);
  }

  /** Calls `stop` when a session ends or expires. Returns the function that cancels this. */
  endWith({ id, expires }: FoundSession, stop: () => void): () => void {
    const running = this.#running.get(id) ?? { stops: new Set(), cancel: this.#stopAt(id, expires) };
    this.#running.set(id, running);
    running.stops.add(stop);
    return () => {
      running.stops.delete(stop);
      if (running.stops.size > 0 || this.#running.get(id) !== running) return;
      running.cancel();
      this.#running.delete(id);
    };
  }

  #stop(id: string): void {
    const running = this.#running.get(id);
    this.#running.delete(id);
    running?.cancel();
    for (const stop of running?.stops ?? []) stop();
  }

  /** Ends what goes on for a session when its time is over; a timer may fire early. */
  #stopAt(id: string, expires: number): () => void {
    const { clock } = this.#options;
    return clock.after(expires - clock.now(), () => {
      const running = this.#running.get(id);
      if (clock.now() >= expires) this.#stop(id);
      else if (running !== undefined) running.cancel = this.#stopAt(id, expires);
    });
  }

  /** The open session of a cookie that has the form; null if it is not ours, or no longer open. */
  #read(form: RegExpExecArray, keyDigest: string, client: Client, secret: Buffer): FoundSession | null {
    const [, time = "", id = "", mac = ""] = form;
    const expires = Number(time);
    const expected = sign(secret, { expires, id, keyDigest, client });
    // Both have 43 characters.
    if (!timingSafeEqual(Buffer.from(mac), Buffer.from(expected))) return null;
    return expires > this.#options.clock.now() && !this.#ended.has(id) ? { id, expires } : null;
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
  readonly keyDigest: string;
  readonly client: Client;
}

function digestKey(key: string): string {
  return createHmac("sha256", "session key").update(key).digest("base64url");
}

/** The length of the digest is fixed, and the address comes last: no two sessions sign one text. */
function sign(secret: Buffer, { expires, id, keyDigest, client }: Signed): string {
  return createHmac("sha256", secret).update(`${expires}.${id}.${keyDigest}.${client.address}`).digest("base64url");
}

/** Compares digests, so that neither content nor length shows in the time taken. */
function isToken(given: string, expected: string): boolean {
  const digest = (text: string) => createHmac("sha256", "compare").update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
