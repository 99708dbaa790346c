import type { OpenAPIHono, z } from "@hono/zod-openapi";
import type { Engine } from "../engine/api.ts";
import { NO_STORE, PROBLEM_JSON } from "./problem-details.ts";
import { ProblemDetailsShape } from "./schemas.ts";

export interface RouteContext {
  readonly engine: Engine;
  /** Ms between two comment lines that keep an event stream alive. */
  readonly heartbeatMs: number;
  /** Aborts when the server shuts down: ends open streams. */
  readonly closing: AbortSignal;
}

/** Adds the routes of one group. */
export type AddRoutes = (app: OpenAPIHono, context: RouteContext) => void;

/** The error response of every route in the OpenAPI document. */
export const ERRORS = { default: problemContent() };

function problemContent(): { readonly description: string } {
  const response = {
    description: "RFC 9457 error with our code",
    content: { [PROBLEM_JSON]: { schema: ProblemDetailsShape } },
  };
  return response;
}

/** A JSON request body in a route's declaration. */
export function jsonBody<Schema>(schema: Schema, required: boolean) {
  return { required, content: { "application/json": { schema } } } as const;
}

/**
 * A JSON response in a route's declaration. Its type hides the schema: the engine's views are readonly, which the
 * framework's response types do not accept; a test holds every response against its schema instead.
 */
export function jsonContent(schema: z.ZodType, description: string): { readonly description: string } {
  const response = { description, content: { "application/json": { schema } } };
  return response;
}

/** A document as a JSON response. */
export function json(document: object, status = 200): Response {
  return new Response(JSON.stringify(document), {
    status,
    headers: { "content-type": "application/json", ...NO_STORE },
  });
}
