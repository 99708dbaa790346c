import { showControlCharacters } from "../../core/report/plain-text.ts";
import type { NotificationView } from "../../engine/api.ts";

/** A notification as one line: when, whether it is new, and what it says. */
export function renderNotificationLine({ at, read, ...notification }: NotificationView): string {
  return `${at}  ${read ? "     " : "new  "}${renderNotification(notification)}`;
}

/** A notification in one line, e.g. `linked "hub" with "notes" (connect)`. */
export function renderNotification({
  runsOnAppId,
  target,
  hookId,
}: Pick<NotificationView, "runsOnAppId" | "target" | "hookId">): string {
  return showControlCharacters(`linked "${runsOnAppId}" with "${target}" (${hookId})`);
}
