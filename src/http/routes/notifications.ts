import { createRoute } from "@hono/zod-openapi";
import { type AddRoutes, ERRORS, json, jsonContent } from "../context.ts";
import {
  NotificationList,
  NotificationParams,
  NotificationShape,
  NotificationsQuery,
  NotificationsRead,
} from "../schemas.ts";

const list = createRoute({
  method: "get",
  path: "/notifications",
  summary: "What people were told, newest first",
  description: "At most the newest 1,000. A notification comes in the event stream too, as `task.notified`.",
  request: { query: NotificationsQuery },
  responses: { 200: jsonContent(NotificationList, "The notifications, or those nobody has read"), ...ERRORS },
});

const readAll = createRoute({
  method: "post",
  path: "/notifications/read",
  summary: "Marks every notification as read",
  responses: { 200: jsonContent(NotificationsRead, "How many were unread"), ...ERRORS },
});

const readOne = createRoute({
  method: "post",
  path: "/notifications/{id}/read",
  summary: "Marks a notification as read",
  request: { params: NotificationParams },
  responses: { 200: jsonContent(NotificationShape, "The notification"), ...ERRORS },
});

/** Notifications: reading them, and marking them as read. */
export const addNotificationRoutes: AddRoutes = (app, { engine }) => {
  app.openapi(list, (c) =>
    json({ notifications: engine.notifications({ unread: c.req.valid("query").unread === "true" }) }),
  );
  app.openapi(readAll, () => json({ read: engine.readNotifications() }));
  app.openapi(readOne, (c) => json(engine.readNotification(c.req.valid("param").id)));
};
