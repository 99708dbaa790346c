import type { Context } from "hono";
import type { z } from "zod";
import type { By, Engine } from "../engine/api.ts";
import { PROBLEM_JSON } from "./problem-details.ts";
import { ProblemDetailsShape } from "./schemas/problem-details.ts";

export interface RouteContext {
  readonly engine: Engine;
  /** Whose change a request asks for. */
  readonly by: (request: Pick<Context, "env"> & { readonly req: { readonly raw: Request } }) => By;
  /** Ms between two comment lines that keep an event stream alive. */
  readonly heartbeatMs: number;
  /** Aborts when the server shuts down: ends open streams. */
  readonly closing: AbortSignal;
}

/** The error response of every route in the OpenAPI document. */
export const ERRORS = describeErrors();

/** Its type names no response: errors are thrown, and `hc` gives a body its type only where all responses have one. */
function describeErrors(): Readonly<Record<never, never>> {
  return {
    default: {
      description: "RFC 9457 error with our code",
      content: { [PROBLEM_JSON]: { schema: ProblemDetailsShape } },
    },
  };
}

/** A JSON request body in a route's declaration. */
export function defineJsonBody<Schema>(schema: Schema, required: boolean) {
  return { required, content: { "application/json": { schema } } } as const;
}

/** A JSON response in a route's declaration; the route's `c.json` is checked against it. */
export function defineJsonContent<Schema extends z.ZodType>(schema: Schema, description: string) {
  return { description, content: { "application/json": { schema } } } as const;
}
