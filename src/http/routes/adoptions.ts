import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import { AdoptRequest } from "../../engine/requests.ts";
import { defineJsonBody, defineJsonContent, ERRORS, type RouteContext } from "../context.ts";
import { NO_STORE } from "../problem-details.ts";
import { AdoptPreview } from "../schemas/adoptions.ts";
import { AppParams } from "../schemas/apps.ts";
import { Task } from "../schemas/tasks.ts";

const adoptApp = createRoute({
  operationId: "adoptApp",
  method: "post",
  path: "/apps/{appId}/adopt",
  summary: "Takes over an app that was installed by other means, as it is",
  request: { params: AppParams, body: defineJsonBody(AdoptRequest, false) },
  responses: { 202: defineJsonContent(Task, "The adoption task"), ...ERRORS },
});

const previewAdopt = createRoute({
  operationId: "previewAdopt",
  method: "post",
  path: "/apps/{appId}/adopt/preview",
  summary: "What is known of an app that was installed by other means, and what is not; nothing is changed",
  request: { params: AppParams, body: defineJsonBody(AdoptRequest, false) },
  responses: {
    200: defineJsonContent(AdoptPreview, "Answers that were recovered, and questions to answer"),
    ...ERRORS,
  },
});

/** The adoption of apps that were installed by other means. */
export function addAdoptionRoutes(app: OpenAPIHono, { engine, by }: RouteContext) {
  return app
    .openapi(adoptApp, async (c) =>
      c.json(await engine.adopt(c.req.valid("param").appId, c.req.valid("json"), by(c)), 202, NO_STORE),
    )
    .openapi(previewAdopt, async (c) =>
      c.json(await engine.previewAdopt(c.req.valid("param").appId, c.req.valid("json")), 200, NO_STORE),
    );
}
