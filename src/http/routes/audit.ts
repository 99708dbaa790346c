import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import type { AuditRange } from "../../engine/api.ts";
import { defineJsonContent, ERRORS, type RouteContext } from "../context.ts";
import { NO_STORE } from "../problem-details.ts";
import { AuditPage, AuditQuery } from "../schemas/system/audit.ts";

const listAudit = createRoute({
  operationId: "listAudit",
  method: "get",
  path: "/audit",
  summary: "Who changed what, or was refused it, newest first",
  description:
    "The newest 10,000 changes, 1,000 refusals and 1,000 looks at secrets and messages are kept. Nothing of a request is, but what it was about.",
  request: { query: AuditQuery },
  responses: { 200: defineJsonContent(AuditPage, "A page of the list"), ...ERRORS },
});

/** The audit list. */
export function addAuditRoutes(app: OpenAPIHono, { engine }: RouteContext) {
  return app.openapi(listAudit, (c) => {
    const { app: appId, task: taskId, actor: actorId, before, limit } = c.req.valid("query");
    const filter: AuditRange = {
      ...(appId !== undefined && { appId }),
      ...(taskId !== undefined && { taskId }),
      ...(actorId !== undefined && { actorId }),
    };
    const page = { ...(before !== undefined && { before }), ...(limit !== undefined && { limit }) };
    const entries = engine.audit({ ...filter, ...page });
    const last = entries.at(-1)?.number;
    const isLast = last === undefined || engine.audit({ ...filter, before: last, limit: 1 }).length === 0;
    return c.json({ entries, ...(!isLast && { next: last }) }, 200, NO_STORE);
  });
}
