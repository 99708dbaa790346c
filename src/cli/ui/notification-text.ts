import { showControlCharacters } from "../../core/report/plain-text.ts";
import type { NotificationView } from "../../engine/api.ts";
import type { PairingLinked, UpgradeAvailable } from "../../engine/ports/environment.ts";

/** What it says, whenever that was. */
type Told =
  | Pick<PairingLinked, "type" | "runsOnAppId" | "target" | "hookId">
  | Pick<UpgradeAvailable, "type" | "appId" | "to">;

/** A notification as one line: when, whether it is new, and what it says. */
export function renderNotificationLine({ at, read, ...notification }: NotificationView): string {
  return `${at}  ${read ? "     " : "new  "}${renderNotification(notification)}`;
}

/** A notification in one line, e.g. `linked "hub" with "notes" (connect)` or `"notes" can be upgraded to 1.2.0`. */
export function renderNotification(notification: Told): string {
  return showControlCharacters(describe(notification));
}

function describe(told: Told): string {
  switch (told.type) {
    case "pairing.linked":
      return `linked "${told.runsOnAppId}" with "${told.target}" (${told.hookId})`;
    case "upgrade.available":
      return `"${told.appId}" can be upgraded to ${told.to}: slipway upgrade ${told.appId}`;
  }
}
