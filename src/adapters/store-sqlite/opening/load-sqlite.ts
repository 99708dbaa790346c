import { createRequire } from "node:module";

/** better-sqlite3, loaded with the first database: whoever only imports Slipway need not wait for it. */
export function loadSqlite(): typeof import("better-sqlite3") {
  return createRequire(import.meta.url)("better-sqlite3");
}
