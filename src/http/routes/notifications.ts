import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import { NotificationShape } from "../../engine/notification-shapes.ts";
import { defineJsonContent, ERRORS, type RouteContext } from "../context.ts";
import { NO_STORE } from "../problem-details.ts";
import {
  NotificationList,
  NotificationParams,
  NotificationsQuery,
  NotificationsRead,
} from "../schemas/notifications.ts";

const listNotifications = createRoute({
  operationId: "listNotifications",
  method: "get",
  path: "/notifications",
  summary: "What people were told, newest first",
  description:
    "At most the newest 1,000. One of a link comes in the event stream too, as `task.notified`; of one of an upgrade the hint `notification.added` tells.",
  request: { query: NotificationsQuery },
  responses: { 200: defineJsonContent(NotificationList, "The notifications, or those nobody has read"), ...ERRORS },
});

const readNotifications = createRoute({
  operationId: "readNotifications",
  method: "post",
  path: "/notifications/read",
  summary: "Marks every notification as read",
  responses: { 200: defineJsonContent(NotificationsRead, "How many were unread"), ...ERRORS },
});

const readNotification = createRoute({
  operationId: "readNotification",
  method: "post",
  path: "/notifications/{id}/read",
  summary: "Marks a notification as read",
  request: { params: NotificationParams },
  responses: { 200: defineJsonContent(NotificationShape, "The notification"), ...ERRORS },
});

/** Notifications: reading them, and marking them as read. */
export function addNotificationRoutes(app: OpenAPIHono, { engine, by }: RouteContext) {
  return app
    .openapi(listNotifications, (c) =>
      c.json(
        { notifications: engine.notifications({ unread: c.req.valid("query").unread === "true" }) },
        200,
        NO_STORE,
      ),
    )
    .openapi(readNotifications, (c) => c.json({ read: engine.readNotifications(by(c)) }, 200, NO_STORE))
    .openapi(readNotification, (c) => c.json(engine.readNotification(c.req.valid("param").id, by(c)), 200, NO_STORE));
}
