import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import { defineJsonContent, ERRORS, type RouteContext } from "../context.ts";
import { NO_STORE } from "../problem-details.ts";
import { Drift } from "../schemas/drifts.ts";

const getDrift = createRoute({
  operationId: "getDrift",
  method: "get",
  path: "/drift",
  summary: "What the host has otherwise than the engine left it",
  responses: { 200: defineJsonContent(Drift, "The findings so far; nothing is asked for them"), ...ERRORS },
});

const lookForDrift = createRoute({
  operationId: "lookForDrift",
  method: "post",
  path: "/drift/look",
  summary: "Looks for drift now, or after the look under way; nothing is changed",
  responses: { 200: defineJsonContent(Drift, "The findings; `failed` says why there are no new ones"), ...ERRORS },
});

/** Drift, and a look for it. */
export function addDriftRoutes(app: OpenAPIHono, { engine }: RouteContext) {
  return app
    .openapi(getDrift, (c) => c.json(engine.drift(), 200, NO_STORE))
    .openapi(lookForDrift, async (c) => c.json(await engine.lookForDrift(), 200, NO_STORE));
}
