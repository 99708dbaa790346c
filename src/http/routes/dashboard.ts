import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import { DashboardRequest } from "../../engine/requests.ts";
import { defineJsonBody, defineJsonContent, ERRORS, type RouteContext } from "../context.ts";
import { NO_STORE } from "../problem-details.ts";
import { AllWidgets, Dashboard, WidgetsQuery } from "../schemas/widgets.ts";

const listAllWidgets = createRoute({
  operationId: "listAllWidgets",
  method: "get",
  path: "/widgets",
  summary: "The widgets of all apps",
  request: { query: WidgetsQuery },
  responses: { 200: defineJsonContent(AllWidgets, "The widgets that are not hidden, by app id"), ...ERRORS },
});

const getDashboard = createRoute({
  operationId: "getDashboard",
  method: "get",
  path: "/dashboard",
  summary: "The widgets people look at first, in order",
  responses: { 200: defineJsonContent(Dashboard, "What a person has put there, or the default"), ...ERRORS },
});

const arrangeDashboard = createRoute({
  operationId: "arrangeDashboard",
  method: "put",
  path: "/dashboard",
  summary: "Puts widgets on the dashboard in place of those there",
  description:
    "A widget that is unknown, named twice or not made for its size is `DASHBOARD_REFUSED` with every problem, and nothing changes; one that is there already may stay after its app has gone. `tiles: null` brings the default back.",
  request: { body: defineJsonBody(DashboardRequest, true) },
  responses: { 200: defineJsonContent(Dashboard, "The dashboard"), ...ERRORS },
});

/** The widgets of all apps, and which of them stand on the dashboard. */
export function addDashboardRoutes(app: OpenAPIHono, { engine, by }: RouteContext) {
  return app
    .openapi(listAllWidgets, async (c) => {
      const { installed } = c.req.valid("query");
      const widgets = await engine.allWidgets(installed === undefined ? {} : { installed: installed === "true" });
      return c.json({ widgets }, 200, NO_STORE);
    })
    .openapi(getDashboard, async (c) => c.json(await engine.dashboard(), 200, NO_STORE))
    .openapi(arrangeDashboard, async (c) =>
      c.json(await engine.arrangeDashboard(c.req.valid("json"), by(c)), 200, NO_STORE),
    );
}
