import { z } from "zod";
import { NotificationShape } from "../../engine/notification-shapes.ts";
import { Id } from "./parts.ts";

/** Which notifications to list. */
export const NotificationsQuery = z.object({
  unread: z.enum(["true", "false"]).optional().meta({ description: "Only those nobody has marked as read" }),
});

/** Path of one notification. */
export const NotificationParams = z.object({ id: Id.meta({ description: "Notification id" }) });

/** Body of `GET notifications`. */
export const NotificationList = z
  .object({ notifications: z.array(NotificationShape).readonly() })
  .meta({ id: "Notifications" });

/** How many were marked as read. */
export const NotificationsRead = z.object({ read: z.number() }).meta({ id: "NotificationsRead" });
