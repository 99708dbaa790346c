/** Whether this browser has logged in: its cookie no script can see, and a server without a token takes no log-out. */

const KEY = "slipway-logged-in";

export function hasLoggedIn(): boolean {
  try {
    return localStorage.getItem(KEY) !== null;
  } catch {
    return false;
  }
}

/** Remembers a log-in or a log-out for the other tabs and later. */
export function keepLoggedIn(isIn: boolean): void {
  try {
    if (isIn) localStorage.setItem(KEY, "yes");
    else localStorage.removeItem(KEY);
  } catch {
    // Whoever keeps nothing can't log out before the session ends.
  }
}
