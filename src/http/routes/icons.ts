import { createRoute, type OpenAPIHono, z } from "@hono/zod-openapi";
import { ERRORS, type RouteContext } from "../context.ts";
import { matchesEtag } from "../entity-tag.ts";
import { AppParams } from "../schemas/apps.ts";

const Picture = { schema: z.string().meta({ format: "binary" }) };

const getIcon = createRoute({
  operationId: "getIcon",
  method: "get",
  path: "/apps/{appId}/icon",
  summary: "The picture of an app, read by the engine and kept for a while",
  request: { params: AppParams },
  responses: {
    200: {
      description: "The picture, of the kind its content is",
      content: { "image/svg+xml": Picture, "image/png": Picture, "image/webp": Picture, "image/jpeg": Picture },
    },
    304: { description: "Not modified" },
    ...ERRORS,
  },
});

/**
 * A picture is an author's: opened by itself, an SVG would be a page of this origin. The policy leaves it its own styles
 * and nothing else, no script, no request, no origin.
 */
const AS_A_PICTURE = {
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "private, max-age=300",
} as const;

/** `GET /api/apps/{appId}/icon`: pictures through the engine, so that a page asks no other origin. */
export function addIconRoutes(app: OpenAPIHono, { engine }: RouteContext) {
  return app.openapi(getIcon, async (c) => {
    const { type, bytes, tag } = await engine.icon(c.req.valid("param").appId);
    const headers = { ...AS_A_PICTURE, etag: `"${tag}"` };
    if (matchesEtag(c.req.header("if-none-match"), headers.etag)) return c.body(null, 304, headers);
    return c.body(new Uint8Array(bytes), 200, { ...headers, "content-type": type });
  });
}
