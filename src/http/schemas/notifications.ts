import { z } from "zod";
import { Id } from "./parts.ts";

/** Which notifications to list. */
export const NotificationsQuery = z.object({
  unread: z.enum(["true", "false"]).optional().meta({ description: "Only those nobody has marked as read" }),
});

/** Path of one notification. */
export const NotificationParams = z.object({ id: Id.meta({ description: "Notification id" }) });

/** A notification as people get it. */
export const Notified = z
  .object({
    id: z.string(),
    at: z.string(),
    type: z.enum(["pairing.linked"]),
    runsOnAppId: z.string(),
    hookId: z.string(),
    target: z.string().meta({ description: "The app that was linked" }),
    taskId: z.string().meta({ description: "The link's task" }),
  })
  .meta({ id: "NotificationMessage" });

/** A stored notification. */
export const NotificationShape = Notified.extend({ read: z.boolean() }).meta({ id: "Notification" });

/** Body of `GET notifications`. */
export const NotificationList = z
  .object({ notifications: z.array(NotificationShape).readonly() })
  .meta({ id: "Notifications" });

/** How many were marked as read. */
export const NotificationsRead = z.object({ read: z.number() }).meta({ id: "NotificationsRead" });
