import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import type { PairingsBody } from "../../engine/api.ts";
import { defineJsonContent, ERRORS, type RouteContext } from "../context.ts";
import { createEtag, matchesEtag } from "../entity-tag.ts";
import { NO_SNIFF } from "../problem-details.ts";
import { AppParams } from "../schemas/apps.ts";
import { Pairings } from "../schemas/pairings.ts";

const getPairings = createRoute({
  operationId: "getPairings",
  method: "get",
  path: "/apps/{appId}/pairings",
  summary: "The pairings derived for an app, in both directions",
  request: { params: AppParams },
  responses: { 200: defineJsonContent(Pairings, "The pairings"), 304: { description: "Not modified" }, ...ERRORS },
});

interface Served {
  readonly body: string;
  readonly headers: typeof NO_SNIFF & Readonly<Record<"content-type" | "cache-control" | "etag", string>>;
}

/** `GET /api/apps/{appId}/pairings` (docs/decisions.md, section 7): prebuilt bodies with ETags. */
export function addPairingRoutes(app: OpenAPIHono, { engine }: RouteContext) {
  // The engine hands out the same object until the index is swapped, so a body is serialised once per index.
  const served = new WeakMap<PairingsBody, Served>();
  return app.openapi(getPairings, async (c) => {
    const pairings = await engine.pairings(c.req.valid("param").appId);
    let found = served.get(pairings);
    if (found === undefined) {
      const body = JSON.stringify(pairings);
      const etag = createEtag(body);
      // Alone of all responses it may be kept, for its ETag: it is the catalog's, and no copy is used unasked.
      found = { body, headers: { "content-type": "application/json", "cache-control": "no-cache", etag, ...NO_SNIFF } };
      served.set(pairings, found);
    }
    if (matchesEtag(c.req.header("if-none-match"), found.headers.etag)) {
      const { etag, "cache-control": caching } = found.headers;
      return c.body(null, 304, { etag, "cache-control": caching });
    }
    // What `c.json` returns, of a text that is made already: clients read the type of the body from it.
    const typed = { _data: pairings, _status: 200, _format: "json" } as const;
    return Object.assign(new Response(found.body, { headers: found.headers }), typed);
  });
}
