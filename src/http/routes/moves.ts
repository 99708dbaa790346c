import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import { ExportRequest } from "../../engine/requests.ts";
import { defineJsonBody, defineJsonContent, ERRORS, type RouteContext } from "../context.ts";
import { NO_STORE } from "../problem-details.ts";
import { Exported } from "../schemas/moves.ts";

const exportApps = createRoute({
  operationId: "exportApps",
  method: "post",
  path: "/export",
  summary: "Writes what the installed apps were set up with, for another box",
  description: "No data of apps is in it. Its secrets are sealed by the passphrase, which is kept nowhere.",
  request: { body: defineJsonBody(ExportRequest, true) },
  responses: { 200: defineJsonContent(Exported, "The export"), ...ERRORS },
});

/** Apps that move from one box to another. */
export function addMoveRoutes(app: OpenAPIHono, { engine, by }: RouteContext) {
  return app.openapi(exportApps, async (c) =>
    c.json(await engine.exportApps(c.req.valid("json"), by(c)), 200, NO_STORE),
  );
}
