import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import { defineJsonBody, defineJsonContent, ERRORS } from "../context.ts";
import { NO_STORE } from "../problem-details.ts";
import { Caller, Session, SessionRequest } from "../schemas/system/sessions.ts";
import { readShown, SESSION_HEADER, type Sessions } from "../sessions.ts";

const openSession = createRoute({
  operationId: "openSession",
  method: "post",
  path: "/session",
  summary: "Takes the token, and gives the browser a cookie in its place",
  description:
    "The cookie is HttpOnly and SameSite=Strict. It lasts 30 days and counts for the address it was given to, in requests whose header `x-slipway` has the key of the answer. An address that sends many wrong tokens has to wait.",
  request: { body: defineJsonBody(SessionRequest, true) },
  responses: { 200: defineJsonContent(Session, "The session"), ...ERRORS },
});

const endSession = createRoute({
  operationId: "endSession",
  method: "delete",
  path: "/session",
  summary: "Ends the session of the browser, where it has one",
  responses: { 204: { description: "It has none any more" }, ...ERRORS },
});

/** `POST session` and `DELETE session`, of a server with a token; their caller is not asked for it. */
export function addSessionRoutes(app: OpenAPIHono, sessions: Sessions) {
  return app
    .openapi(openSession, async (c) => {
      const { client, isSecure } = Caller.parse(c.env);
      const { cookie, expires, key } = await sessions.open(c.req.valid("json").token, client, isSecure);
      return c.json({ expires: new Date(expires).toISOString(), key }, 200, { ...NO_STORE, "set-cookie": cookie });
    })
    .openapi(endSession, (c) => {
      const headers = { cookie: c.req.header("cookie"), [SESSION_HEADER]: c.req.header(SESSION_HEADER) };
      const cookie = sessions.end(readShown(headers, Caller.parse(c.env).client));
      return c.body(null, 204, { ...NO_STORE, "set-cookie": cookie });
    });
}
