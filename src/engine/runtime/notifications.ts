/** Notifications as rows, as entries of the log and as people see them. */
import { PairingLinkedShape } from "../notification-shapes.ts";
import type { Notification, PairingLinked } from "../ports/environment.ts";
import type { LoggedRow, NotificationRow } from "../ports/store-rows.ts";
import type { MachineEvent } from "./effect.ts";

/** A row as people are shown it, its time as ISO 8601 text. */
export function viewNotification({ readAt: _, at, ...row }: NotificationRow): Notification {
  return { ...row, at: new Date(at).toISOString() };
}

/** The event of a `task.notified` entry in the log. */
export function toNotifiedEvent(row: NotificationRow): MachineEvent {
  return { type: "task.notify", notification: { ...viewNotification(row) } };
}

/** The notification a `task.notified` entry of the log tells of. */
export function readNotified({ event }: Pick<LoggedRow, "event">): PairingLinked {
  return PairingLinkedShape.parse(event["notification"]);
}
