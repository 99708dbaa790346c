/** Whether this browser has logged in: its cookie no script can see, and a server without a token takes no log-out. */

/** Under which it is kept. */
export const LOGGED_IN = "slipway-logged-in";

export function hasLoggedIn(): boolean {
  try {
    return localStorage.getItem(LOGGED_IN) !== null;
  } catch {
    return false;
  }
}

/** Remembers a log-in or a log-out for the other tabs, which hear of what changes, and later. */
export function keepLoggedIn(isIn: boolean): void {
  try {
    if (isIn) localStorage.setItem(LOGGED_IN, String(Date.now()));
    else localStorage.removeItem(LOGGED_IN);
  } catch {
    // Whoever keeps nothing can't log out before the session ends.
  }
}
