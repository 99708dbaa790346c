import type Database from "better-sqlite3";
import type { Store } from "../../../engine/ports/store.ts";

/** Writes the tiles in their place, or forgets that anybody has put any. */
export function prepareKeepDashboard(db: Database.Database): Store["keepDashboard"] {
  const keep = db.prepare<[string]>("REPLACE INTO dashboard (id, tiles) VALUES (1, ?)");
  const forget = db.prepare("DELETE FROM dashboard");
  return (tiles) => void (tiles === null ? forget.run() : keep.run(JSON.stringify(tiles)));
}
