/** The OpenAPI 3.1 document, from the routes as they are declared and the schemas that check them. */
import type { OpenAPIHono, RouteConfig } from "@hono/zod-openapi";
import { z } from "zod";
import { SESSION_HEADER } from "./sessions.ts";

type JsonSchema = z.core.JSONSchema.BaseSchema;
type Direction = "input" | "output";

const HEAD = {
  openapi: "3.1.0",
  info: {
    title: "Slipway",
    version: "1",
    description: "Installs, upgrades and links catalog apps on a storage appliance.",
  },
  // Nothing, too: a server without a token asks for none, and an embedder's mount is guarded by the embedder.
  security: [{ bearer: [] }, { session: [] }, {}],
};

/** Describes every route of an app, and the cookie of a server's sessions. Schemas with an id stand among the components, all others where they are used. */
export function describeRoutes(app: OpenAPIHono, cookieName: string): object {
  const schemas: Record<string, JsonSchema> = {};
  const paths: Record<string, Record<string, object>> = {};
  for (const definition of app.openAPIRegistry.definitions) {
    if (definition.type !== "route") continue;
    const { method, path } = definition.route;
    paths[path] = { ...paths[path], [method]: describeRoute(definition.route, schemas) };
  }
  const bearer = { type: "http", scheme: "bearer", description: "The token `serve` was started with" };
  const session = {
    type: "apiKey",
    in: "cookie",
    name: cookieName,
    description: `What \`POST session\` gives a browser; counts only beside the key of that answer in the header \`${SESSION_HEADER}\``,
  };
  return { ...HEAD, paths, components: { schemas, securitySchemes: { bearer, session } } };
}

function describeRoute(route: RouteConfig, schemas: Record<string, JsonSchema>): object {
  const { operationId, summary, description, request, responses } = route;
  const body = request?.body;
  return {
    operationId,
    summary,
    ...(description !== undefined && { description }),
    parameters: [
      ...describeParameters(request?.params, "path", schemas),
      ...describeParameters(request?.query, "query", schemas),
      ...describeParameters(request?.headers, "header", schemas),
    ],
    ...(body && {
      requestBody: { required: body.required === true, content: describeContent(body, "input", schemas) },
    }),
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, response]) => [
        status,
        "description" in response
          ? {
              description: response.description,
              ...("content" in response && { content: describeContent(response, "output", schemas) }),
            }
          : response,
      ]),
    ),
  };
}

function describeContent(
  { content = {} }: { readonly content?: Readonly<Record<string, unknown>> },
  direction: Direction,
  schemas: Record<string, JsonSchema>,
): object {
  return Object.fromEntries(
    Object.entries(content).map(([type, media]) => [
      type,
      { schema: describeSchema(readMediaSchema(media), direction, schemas) },
    ]),
  );
}

function readMediaSchema(media: unknown): z.ZodType {
  const schema = typeof media === "object" && media !== null && "schema" in media ? media.schema : null;
  if (schema instanceof z.ZodType) return schema;
  throw new Error("a route's body is declared without a schema");
}

function describeParameters(declared: unknown, place: string, schemas: Record<string, JsonSchema>): readonly object[] {
  if (!(declared instanceof z.ZodObject)) return [];
  const { properties = {}, required = [] } = describeSchema(declared, "input", schemas);
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: place,
    required: required.includes(name),
    ...(typeof schema === "object" && schema.description !== undefined && { description: schema.description }),
    schema,
  }));
}

/** A schema as JSON Schema; those with an id, itself included, are put among the components and referred to. */
function describeSchema(schema: z.ZodType, direction: Direction, schemas: Record<string, JsonSchema>): JsonSchema {
  // Wrapped, so that a schema with an id is one of those below, also where it refers to itself.
  const whole = z.toJSONSchema(z.object({ it: schema }), {
    io: direction,
    unrepresentable: "any",
    override: ({ jsonSchema }) => {
      delete jsonSchema.id;
      // A reader of responses takes members that are added later.
      if (direction === "output" && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  });
  const { properties = {}, $defs = {} } = placeReferences(whole);
  for (const [name, found] of Object.entries($defs)) schemas[name] ??= found;
  const { it } = properties;
  if (typeof it !== "object") throw new Error("a schema has no JSON Schema");
  return it;
}

/** The same schema whose references lead to the components. */
function placeReferences(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'));
}
