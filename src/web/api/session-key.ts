/**
 * The key of the browser's session, without which its cookie counts for nothing. It lies in the storage of this origin, which
 * the pages of other ports can't read; they get to see the cookie.
 */

/** Name it is stored under. */
export const SESSION_KEY = "slipway-session";

/** For a browser that refuses to store anything: the session lasts as long as the page. */
let held: string | undefined;

/** The key; undefined when nobody is logged in. */
export function loadSessionKey(): string | undefined {
  try {
    return localStorage.getItem(SESSION_KEY) ?? held;
  } catch {
    return held;
  }
}

/** Keeps the key of a new session, or drops the one there is. Other tabs get a `storage` event. */
export function keepSessionKey(key: string | undefined): void {
  held = key;
  try {
    if (key === undefined) localStorage.removeItem(SESSION_KEY);
    else localStorage.setItem(SESSION_KEY, key);
  } catch {
    // Held above.
  }
}
