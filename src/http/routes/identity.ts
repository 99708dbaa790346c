import { createRoute, type OpenAPIHono, z } from "@hono/zod-openapi";
import { defineJsonContent, ERRORS } from "../context.ts";
import { CHALLENGE, IDENTITY_ROUTE, proveIdentity } from "../identity.ts";
import { NO_STORE } from "../problem-details.ts";
import { Caller } from "../schemas/system/sessions.ts";

const proveServer = createRoute({
  operationId: "proveServer",
  method: "get",
  path: IDENTITY_ROUTE,
  summary: "Proves that this server's process owns its database",
  description:
    "HMAC-SHA256 of the challenge, the server's address and its port, by the nonce in the database's lock file: a program of the owner checks it before it sends the token.",
  request: { query: z.object({ challenge: z.string().regex(CHALLENGE) }) },
  responses: { 200: defineJsonContent(z.object({ proof: z.string() }), "The proof, base64url"), ...ERRORS },
});

/** `GET identity`, of a server that owns a database; needs no token. */
export function addIdentityRoute(app: OpenAPIHono, nonce: string) {
  return app.openapi(proveServer, (c) => {
    const { server } = Caller.parse(c.env);
    return c.json({ proof: proveIdentity(nonce, c.req.valid("query").challenge, server) }, 200, NO_STORE);
  });
}
