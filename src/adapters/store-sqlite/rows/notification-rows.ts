import type Database from "better-sqlite3";
import type { Store } from "../../../engine/ports/store.ts";
import { prepareInsert } from "../insert.ts";
import type { NotificationRecord } from "../records.ts";
import { toNotificationRecord } from "../to-records.ts";

/** Notifications that are kept, the newest, read or not. */
const KEPT = 1_000;

/** Prepares what keeps a notification that is new, and lets go of the oldest. It runs in a transaction. */
export function prepareKeepNotification(db: Database.Database): Store["keepNotification"] {
  const insert = prepareInsert<NotificationRecord>(db, "INSERT OR IGNORE INTO notifications", "n");
  const drop = db.prepare(
    `DELETE FROM notifications WHERE n <= (SELECT n FROM notifications ORDER BY n DESC LIMIT 1 OFFSET ${KEPT})`,
  );
  return (row) => {
    if (insert.run(toNotificationRecord(row)).changes === 0) return false;
    drop.run();
    return true;
  };
}
