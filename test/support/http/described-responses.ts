/** Holds responses against the OpenAPI document of the server they come from, member by member. */

import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { z } from "zod";

const Operation = z.object({
  operationId: z.string(),
  responses: z.record(z.string(), z.object({ content: z.record(z.string(), z.unknown()).optional() })),
});

const Document = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  components: z.looseObject({ schemas: z.record(z.string(), z.looseObject({})) }),
});
export type OpenApiDocument = z.infer<typeof Document>;

/** What a response was found to be an example of; `route` is null where none fits the address. */
export interface DescribedResponse {
  readonly route: { readonly operationId: string; readonly isSuccess: boolean } | null;
  /** Why it is none, one sentence each. */
  readonly faults: readonly string[];
}

/** Checks a response; its body is read from a copy, a stream's or a picture's not at all. */
export type CheckResponse = (method: string, url: string, response: Response) => Promise<DescribedResponse>;

/** Reads the document of a server. */
export async function readOpenApi(base: string, init?: RequestInit): Promise<OpenApiDocument> {
  return Document.parse(await (await fetch(`${base}/api/openapi.json`, init)).json());
}

/** The check of a document: a member it does not name is a fault, in errors too. */
export function checkResponsesOf(document: OpenApiDocument): CheckResponse {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema({ ...closed(document), $id: "openapi" });
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation, fits: patternOf(path) })),
  );

  function faultsOf(pointer: readonly string[], body: unknown): readonly string[] {
    const ref = `openapi#/${pointer.map((part) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"))).join("/")}`;
    const validate = ajv.getSchema(ref) ?? ajv.compile({ $ref: ref });
    if (validate(body)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) =>
        `${pointer.slice(1, 5).join(" ")}: ${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  }

  return async (method, url, response) => {
    const path = new URL(url).pathname.replace(/^\/api/, "");
    const found = operations.filter((one) => one.method === method.toLowerCase() && one.fits.test(path));
    // A literal part fits better than a parameter.
    const one = found.toSorted((a, b) => a.path.split("{").length - b.path.split("{").length)[0];
    const type = response.headers.get("content-type")?.split(";")[0] ?? "";
    if (one === undefined) {
      const isProblem = type === "application/problem+json";
      const faults = isProblem
        ? faultsOf(["components", "schemas", "ProblemDetails"], await response.clone().json())
        : [];
      return { route: null, faults };
    }
    const { operationId, responses } = one.operation;
    const status = String(response.status) in responses ? String(response.status) : "default";
    const route = { operationId, isSuccess: response.ok };
    const content = responses[status]?.content;
    if (content === undefined)
      return { route, faults: response.body === null ? [] : [`${operationId} ${status} has no body`] };
    if (content[type] === undefined) return { route, faults: [`${operationId} ${status} is not "${type}"`] };
    if (type === "text/event-stream" || type.startsWith("image/")) return { route, faults: [] };
    const pointer = ["paths", one.path, one.method, "responses", status, "content", type, "schema"];
    return { route, faults: faultsOf(pointer, await response.clone().json()) };
  };
}

/** Checks the `data` of an event of the stream. */
export function checkEventsOf(document: OpenApiDocument): (data: unknown) => readonly string[] {
  const ajv = new Ajv2020({ strict: false });
  ajv.addSchema({ ...closed(document), $id: "openapi" });
  const validate = ajv.compile({ $ref: "openapi#/components/schemas/StreamEvent" });
  return (data) => (validate(data) ? [] : [ajv.errorsText(validate.errors)]);
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/[.]/g, "\\.").replaceAll(/\{\w+\}/g, "[^/]+")}$`);
}

/** The document with every object that names its members closed to others. */
function closed<T>(value: T): T {
  return JSON.parse(JSON.stringify(value), (_key, found: unknown) => {
    const isObject = typeof found === "object" && found !== null && "properties" in found && "type" in found;
    const isOpen = isObject && JSON.stringify(found.properties).includes('"authorization"');
    return isObject && !isOpen ? { ...found, additionalProperties: false } : found;
  });
}
