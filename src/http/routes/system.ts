import { createRoute } from "@hono/zod-openapi";
import { type AddRoutes, ERRORS, json, jsonContent } from "../context.ts";
import { Health, Sync } from "../schemas.ts";

const sync = createRoute({
  method: "post",
  path: "/catalog/sync",
  summary: "Reads the catalog again",
  responses: { 200: jsonContent(Sync, "What changed, with every problem"), ...ERRORS },
});

const health = createRoute({
  method: "get",
  path: "/health",
  summary: "Sandbox layers, host, database and unfinished tasks",
  responses: {
    200: jsonContent(Health, "Everything works"),
    503: jsonContent(Health, "Something does not"),
    ...ERRORS,
  },
});

/** The catalog's sync and the engine's health. */
export const addSystemRoutes: AddRoutes = (app, { engine }) => {
  app.openapi(sync, async () => json(await engine.syncCatalog()));
  app.openapi(health, async () => {
    const found = await engine.health();
    return json(found, found.ok ? 200 : 503);
  });
};
