import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import { UpgradeAllRequest } from "../../engine/requests.ts";
import { defineJsonBody, defineJsonContent, ERRORS, type RouteContext } from "../context.ts";
import { NO_STORE } from "../problem-details.ts";
import { UpgradeAllPreview } from "../schemas/previews.ts";
import { Task } from "../schemas/tasks.ts";

const upgradeAll = createRoute({
  operationId: "upgradeAll",
  method: "post",
  path: "/upgrades",
  summary: "Upgrades every app that has an upgrade, one after another",
  description:
    "Targets of a pairing come before the apps that link to them. What can't be upgraded now is left out, with a mark of the task; 409 `HOST_UPGRADE_NONE` where nothing is left.",
  request: { body: defineJsonBody(UpgradeAllRequest, false) },
  responses: { 202: defineJsonContent(Task, "The task, with an upgrade for each app"), ...ERRORS },
});

const previewUpgradeAll = createRoute({
  operationId: "previewUpgradeAll",
  method: "post",
  path: "/upgrades/preview",
  summary: "The upgrades of all apps in their order, and what would be left out; nothing is changed",
  request: { body: defineJsonBody(UpgradeAllRequest, false) },
  responses: { 200: defineJsonContent(UpgradeAllPreview, "What would run, and what would not"), ...ERRORS },
});

/** Upgrades of several apps. */
export function addUpgradeRoutes(app: OpenAPIHono, { engine, by }: RouteContext) {
  return app
    .openapi(upgradeAll, async (c) => c.json(await engine.upgradeAll(c.req.valid("json"), by(c)), 202, NO_STORE))
    .openapi(previewUpgradeAll, async (c) =>
      c.json(await engine.previewUpgradeAll(c.req.valid("json")), 200, NO_STORE),
    );
}
