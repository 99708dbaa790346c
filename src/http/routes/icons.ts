import { createRoute, type OpenAPIHono, z } from "@hono/zod-openapi";
import { EngineError } from "../../core/codes/problems.ts";
import { ERRORS, type RouteContext } from "../context.ts";
import { matchesEtag } from "../entity-tag.ts";
import { NO_SNIFF, NO_STORE } from "../problem-details.ts";
import { AppParams } from "../schemas/apps.ts";

const Picture = { schema: z.string().meta({ format: "binary" }) };

/** A browser complains of each answer that is an error, and many an app has no picture. */
const IconQuery = z.strictObject({
  optional: z
    .literal("true")
    .optional()
    .meta({ description: "Answer 204 where the app has no picture that can be had, or is known to nobody any more" }),
});

const getIcon = createRoute({
  operationId: "getIcon",
  method: "get",
  path: "/apps/{appId}/icon",
  summary: "The picture of an app, read by the engine and kept for a while",
  request: { params: AppParams, query: IconQuery },
  responses: {
    200: {
      description: "The picture, of the kind its content is",
      content: { "image/svg+xml": Picture, "image/png": Picture, "image/webp": Picture, "image/jpeg": Picture },
    },
    204: { description: "There is no picture, where it is `optional`" },
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
  ...NO_SNIFF,
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "private, max-age=300",
} as const;

/** `GET /api/apps/{appId}/icon`: pictures through the engine, so that a page asks no other origin. */
export function addIconRoutes(app: OpenAPIHono, { engine }: RouteContext) {
  return app.openapi(getIcon, async (c) => {
    const { optional } = c.req.valid("query");
    const picture = await engine.icon(c.req.valid("param").appId).catch((error: unknown) => {
      if (optional === undefined || !isWithoutPicture(error)) throw error;
      return null;
    });
    if (picture === null) return c.body(null, 204, NO_STORE);
    const { type, bytes, tag } = picture;
    const headers = { ...AS_A_PICTURE, etag: `"${tag}"` };
    if (matchesEtag(c.req.header("if-none-match"), headers.etag)) return c.body(null, 304, headers);
    return c.body(new Uint8Array(bytes), 200, { ...headers, "content-type": type });
  });
}

/** A task outlives its app, and is listed with the picture of it. */
function isWithoutPicture(error: unknown): boolean {
  return error instanceof EngineError && (error.code === "ICON_UNREADABLE" || error.code === "TASK_APP_UNKNOWN");
}
