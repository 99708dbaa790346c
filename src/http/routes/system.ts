import { createRoute } from "@hono/zod-openapi";
import { type AddRoutes, ERRORS, json, jsonContent } from "../context.ts";
import { Health, Liveness, Readiness, Sync } from "../schemas.ts";

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

const live = createRoute({
  method: "get",
  path: "/health/live",
  summary: "The process answers; where it does not, start it again",
  responses: { 200: jsonContent(Liveness, "It does"), ...ERRORS },
});

const ready = createRoute({
  method: "get",
  path: "/health/ready",
  summary: "The engine takes requests: it has taken over what was left, and its database takes turns",
  responses: {
    200: jsonContent(Readiness, "It does"),
    503: jsonContent(Readiness, "Not now, and why"),
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
  app.openapi(live, () => json({ live: true }));
  app.openapi(ready, () => {
    const found = engine.readiness();
    return json(found, found.ready ? 200 : 503);
  });
};
