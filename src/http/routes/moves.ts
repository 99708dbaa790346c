import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import { ExportRequest, ImportRequest } from "../../engine/requests.ts";
import { defineJsonBody, defineJsonContent, ERRORS, type RouteContext } from "../context.ts";
import { NO_STORE } from "../problem-details.ts";
import { Exported, ImportPreview } from "../schemas/system/moves.ts";
import { Task } from "../schemas/tasks.ts";

const exportApps = createRoute({
  operationId: "exportApps",
  method: "post",
  path: "/export",
  summary: "Writes what the installed apps were set up with, for another box",
  description: "No data of apps is in it. Its secrets are sealed by the passphrase, which is kept nowhere.",
  request: { body: defineJsonBody(ExportRequest, true) },
  responses: { 200: defineJsonContent(Exported, "The export"), ...ERRORS },
});

const importApps = createRoute({
  operationId: "importApps",
  method: "post",
  path: "/import",
  summary:
    "Installs or adopts the apps of an export that the engine does not look after yet, then their links and policies",
  description:
    "What can't be set up is left out, with a mark of the task; 409 `IMPORT_NONE` where nothing is left, 409 `TASK_CONFLICT` while another import is at work.",
  request: { body: defineJsonBody(ImportRequest, true) },
  responses: { 202: defineJsonContent(Task, "The task, with a child for each app and link"), ...ERRORS },
});

const previewImport = createRoute({
  operationId: "previewImport",
  method: "post",
  path: "/import/preview",
  summary: "What an import would do, and what it would leave out; nothing is changed",
  request: { body: defineJsonBody(ImportRequest, true) },
  responses: { 200: defineJsonContent(ImportPreview, "What would be set up, and what would not"), ...ERRORS },
});

/** Apps that move from one box to another. */
export function addMoveRoutes(app: OpenAPIHono, { engine, by }: RouteContext) {
  return app
    .openapi(exportApps, async (c) => c.json(await engine.exportApps(c.req.valid("json"), by(c)), 200, NO_STORE))
    .openapi(importApps, async (c) => c.json(await engine.importApps(c.req.valid("json"), by(c)), 202, NO_STORE))
    .openapi(previewImport, async (c) => c.json(await engine.previewImport(c.req.valid("json")), 200, NO_STORE));
}
