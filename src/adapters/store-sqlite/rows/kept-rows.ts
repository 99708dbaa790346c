import type Database from "better-sqlite3";
import type { Store } from "../../../engine/ports/store.ts";
import { prepareInsert } from "../insert.ts";
import type { SettingRecord } from "../records.ts";
import { prepareKeepAudit } from "./audit-rows.ts";
import { prepareKeepDashboard } from "./dashboard-row.ts";
import { prepareKeepNotification } from "./notification-rows.ts";

/** The port's methods for what is kept outside of turns. */
type KeptRows = Pick<
  Store,
  "together" | "keepSettings" | "keepAudit" | "keepDashboard" | "keepNotification" | "readNotifications"
>;

/** Each call is a transaction of its own, or a part of the one of `together`; `guard` runs it. */
export function createKeptRows(db: Database.Database, guard: <T>(access: () => T) => T): KeptRows {
  const keepSetting = prepareInsert<SettingRecord>(db, "REPLACE INTO settings");
  const keepSettings = db.transaction((appId: string, values: Parameters<Store["keepSettings"]>[1]) => {
    for (const [key, value] of Object.entries(values)) {
      keepSetting.run({ app_id: appId, key, value: JSON.stringify(value) });
    }
  });
  const keepAudit = db.transaction(prepareKeepAudit(db));
  const keepDashboard = prepareKeepDashboard(db);
  const keepNotification = db.transaction(prepareKeepNotification(db));
  const readNotifications = db.prepare<[{ id: string | null; at: number }]>(
    "UPDATE notifications SET read_at = :at WHERE read_at IS NULL AND (:id IS NULL OR id = :id)",
  );
  return {
    together: (run) => guard(() => db.transaction(run).immediate()),
    keepSettings: (appId, values) => guard(() => keepSettings.immediate(appId, values)),
    keepAudit: (row) => guard(() => keepAudit.immediate(row)),
    keepDashboard: (tiles) => guard(() => keepDashboard(tiles)),
    keepNotification: (row) => guard(() => keepNotification.immediate(row)),
    readNotifications: (id, at) => guard(() => readNotifications.run({ id, at }).changes),
  };
}
