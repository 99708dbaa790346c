import type Database from "better-sqlite3";
import type { JsonObject } from "../../core/json/json.ts";

/**
 * Replaces the plan of a tree and empties its part of the vault, both or neither (`Store.redactTree`); `noteDeleted` is
 * told of it.
 */
export function prepareRedactTree(
  db: Database.Database,
  noteDeleted: () => void,
): (rootId: string, plan: JsonObject) => void {
  const replacePlan = db.prepare<[string, string]>("UPDATE plans SET plan = ? WHERE root = ?");
  const dropVault = db.prepare<[string]>("DELETE FROM vault WHERE root = ?");
  const redact = db.transaction((rootId: string, plan: JsonObject) => {
    replacePlan.run(JSON.stringify(plan), rootId);
    dropVault.run(rootId);
  }).immediate;
  return (rootId, plan) => {
    redact(rootId, plan);
    noteDeleted();
  };
}
