import type Database from "better-sqlite3";
import { prepareInsert } from "../insert.ts";

/** Lines of a hook's log that are kept per task. */
const KEPT_LINES = 1_000;

/** Prepares the write of log lines (`Store.appendHookLog`); it belongs into a transaction. */
export function prepareHookLog(db: Database.Database): (taskId: string, at: number, lines: readonly string[]) => void {
  const add = prepareInsert<{ task: string; at: number; line: string }>(db, "INSERT INTO hook_log", "n");
  const drop = db.prepare(
    `DELETE FROM hook_log WHERE task = :task AND n <=
      (SELECT n FROM hook_log WHERE task = :task ORDER BY n DESC LIMIT 1 OFFSET ${KEPT_LINES})`,
  );
  return (taskId, at, lines) => {
    if (lines.length === 0) return;
    for (const line of lines) add.run({ task: taskId, at, line });
    drop.run({ task: taskId });
  };
}
