import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import type { Code } from "../../core/codes/code.ts";
import { explain } from "../../core/codes/codes.ts";
import { defineJsonContent, ERRORS, type RouteContext } from "../context.ts";
import { NO_STORE } from "../problem-details.ts";
import { Sync } from "../schemas/system/catalog.ts";
import { Health, Liveness, Readiness } from "../schemas/system/health.ts";

const sync = createRoute({
  operationId: "sync",
  method: "post",
  path: "/catalog/sync",
  summary: "Reads the catalog again",
  responses: { 200: defineJsonContent(Sync, "What changed, with every problem"), ...ERRORS },
});

const health = createRoute({
  operationId: "health",
  method: "get",
  path: "/health",
  summary: "Sandbox layers, host, database and unfinished tasks",
  responses: {
    200: defineJsonContent(Health, "Everything works"),
    503: defineJsonContent(Health, "Something does not"),
    ...ERRORS,
  },
});

const live = createRoute({
  operationId: "live",
  method: "get",
  path: "/health/live",
  summary: "The process answers; where it does not, start it again",
  responses: { 200: defineJsonContent(Liveness, "It does"), ...ERRORS },
});

const ready = createRoute({
  operationId: "ready",
  method: "get",
  path: "/health/ready",
  summary: "The engine takes requests: it has taken over what was left, and its database takes turns",
  responses: {
    200: defineJsonContent(Readiness, "It does"),
    503: defineJsonContent(Readiness, "Not now, and why"),
    ...ERRORS,
  },
});

/** The catalog's sync and the engine's health. */
export function addSystemRoutes(app: OpenAPIHono, { engine }: RouteContext) {
  return app
    .openapi(sync, async (c) => c.json(await engine.syncCatalog(), 200, NO_STORE))
    .openapi(health, async (c) => {
      const found = await engine.health();
      const shown = { ...found, host: withoutWords(found.host), store: withoutWords(found.store) };
      return c.json(shown, found.ok ? 200 : 503, NO_STORE);
    })
    .openapi(live, (c) => c.json({ live: true as const }, 200, NO_STORE))
    .openapi(ready, (c) => {
      const found = engine.readiness();
      return c.json(found, found.ready ? 200 : 503, NO_STORE);
    });
}

/** A standing in the registry's words: its own may name a file or an address, which are for the log (see `isHidden`). */
function withoutWords<Standing extends { readonly code?: Code; readonly detail?: string }>(
  standing: Standing,
): Standing {
  const { code } = standing;
  return code === undefined ? standing : { ...standing, detail: explain(code).title };
}
