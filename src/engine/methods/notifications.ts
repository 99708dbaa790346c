import { EngineError } from "../../core/codes/problems.ts";
import type { NotificationView } from "../api.ts";
import type { Store } from "../ports/store.ts";
import type { NotificationRow } from "../ports/store-rows.ts";
import { viewNotification } from "../runtime/notifications.ts";
import { type NameOf, nameApp } from "../surfaces/name-apps.ts";
import type { MethodDeps } from "./deps.ts";

/** As many as are kept. */
const LIMIT = 1_000;

/** Lists notifications, newest first. */
export function listNotifications(
  store: Pick<Store, "notifications">,
  { unread = false }: { readonly unread?: boolean } = {},
  nameOf?: NameOf,
): readonly NotificationView[] {
  return store.notifications({ unread, limit: LIMIT }).map((row) => viewStored(row, nameOf));
}

type ReadDeps = Pick<MethodDeps, "store" | "clock" | "hints" | "nameOf">;

/** Marks one as read. Throws `NOTIFICATION_UNKNOWN`. */
export function readNotification({ store, clock, hints, nameOf }: ReadDeps, id: string): NotificationView {
  if (store.readNotifications(id, clock.now()) > 0) hints.tell({ type: "notification.read", id });
  const row = store.notification(id);
  if (row === null) throw new EngineError("NOTIFICATION_UNKNOWN", `there is no notification "${id}"`);
  return viewStored(row, nameOf);
}

/** Marks every one as read; answers how many were not. */
export function readNotifications({ store, clock, hints }: ReadDeps): number {
  const read = store.readNotifications(null, clock.now());
  if (read > 0) hints.tell({ type: "notification.read" });
  return read;
}

function viewStored(row: NotificationRow, nameOf?: NameOf): NotificationView {
  const told = viewNotification(row);
  const read = row.readAt !== null;
  if (told.type === "upgrade.available") return { ...nameApp(told, nameOf), read };
  const [appName, targetName] = [nameOf?.(told.runsOnAppId), nameOf?.(told.target)];
  return { ...told, ...(appName !== undefined && { appName }), ...(targetName !== undefined && { targetName }), read };
}
