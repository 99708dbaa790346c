import { Validator } from "@seriousme/openapi-schema-validator";
import { Hono } from "hono";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { createHttpApp } from "../../src/http/app.ts";
import { Actions } from "../../src/http/schemas/actions.ts";
import { AppDetail, Apps } from "../../src/http/schemas/apps.ts";
import { Form } from "../../src/http/schemas/forms.ts";
import { Pairings } from "../../src/http/schemas/pairings.ts";
import { Preview } from "../../src/http/schemas/previews.ts";
import { ProblemDetailsShape } from "../../src/http/schemas/problem-details.ts";
import { Sync } from "../../src/http/schemas/system/catalog.ts";
import { Health, Liveness, Readiness } from "../../src/http/schemas/system/health.ts";
import { Task, Tasks } from "../../src/http/schemas/tasks.ts";
import { Widget, Widgets } from "../../src/http/schemas/widgets.ts";
import { type ServedEngine, serveEngine } from "../support/engine/served-engine.ts";

const OpenApi = z.object({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({
        summary: z.string(),
        responses: z.record(z.string(), z.object({ content: z.record(z.string(), z.unknown()).optional() })),
        parameters: z.array(z.object({ name: z.string(), description: z.string().optional() })).default([]),
      }),
    ),
  ),
});

/** design.md, "Public surface"; `openapi.json` is the document itself. */
const ROUTES = [
  "get /apps",
  "get /apps/{appId}",
  "get /apps/{appId}/actions",
  "get /apps/{appId}/form",
  "get /apps/{appId}/icon",
  "get /apps/{appId}/pairings",
  "get /apps/{appId}/snapshots",
  "get /apps/{appId}/widgets",
  "get /apps/{appId}/widgets/{widgetId}",
  "get /audit",
  "get /dashboard",
  "get /drift",
  "get /events",
  "get /files",
  "get /files/actions",
  "get /health",
  "get /health/live",
  "get /health/ready",
  "get /machines",
  "get /notifications",
  "get /tasks",
  "get /tasks/{id}",
  "get /tasks/{id}/events",
  "get /tasks/{id}/log",
  "get /tasks/{id}/trace",
  "get /upgrades/policies",
  "get /widgets",
  "post /apps/{appId}/actions/{hookId}",
  "post /apps/{appId}/adopt",
  "post /apps/{appId}/adopt/preview",
  "post /apps/{appId}/answers/{key}/reveal",
  "post /apps/{appId}/form",
  "post /apps/{appId}/install",
  "post /apps/{appId}/preview",
  "post /apps/{appId}/restart",
  "post /apps/{appId}/rollback",
  "post /apps/{appId}/rollback/preview",
  "post /apps/{appId}/start",
  "post /apps/{appId}/stop",
  "post /apps/{appId}/uninstall",
  "post /apps/{appId}/uninstall/preview",
  "post /apps/{appId}/update",
  "post /apps/{appId}/upgrade",
  "post /catalog/sync",
  "post /drift/look",
  "post /export",
  "post /files/actions",
  "post /import",
  "post /import/preview",
  "post /notifications/read",
  "post /notifications/{id}/read",
  "post /tasks/{id}/cancel",
  "post /tasks/{id}/dismiss",
  "post /tasks/{id}/input",
  "post /tasks/{id}/retry",
  "post /tasks/{id}/skip",
  "post /upgrades",
  "post /upgrades/preview",
  "put /dashboard",
  "put /upgrades/policies",
];

let served: ServedEngine;
beforeAll(async () => {
  served = await serveEngine();
});
afterAll(() => served.close());

async function read<Schema extends z.ZodType>(
  response: Response,
  status: number,
  schema: Schema,
): Promise<z.infer<Schema>> {
  const document: unknown = await response.json();
  expect({ status: response.status, document }).toMatchObject({ status });
  return schema.parse(document);
}

describe("responses fit their schemas", () => {
  it("follows an app from its form to its widgets", async () => {
    await read(await served.api("/apps"), 200, Apps);
    await read(await served.api("/apps/demo-notes/form"), 200, Form);
    const chosen = await read(await served.post("/apps/demo-notes/form", { links: [] }), 200, Form);
    expect(chosen).toMatchObject({ collapsed: [], request: { links: [] } });
    await read(await served.post("/apps/demo-notes/preview", { answers: { admin_user: "ada" } }), 200, Preview);
    const started = await read(await served.post("/apps/demo-notes/install"), 202, Task);
    await served.engine.settled(started.id);
    const asking = await read(await served.api(`/tasks/${started.id}`), 200, Task);
    const [hook] = asking.children;
    expect(hook).toMatchObject({ state: "AWAITING_INPUT" });
    await read(await served.post(`/tasks/${hook?.id}/input`, { notebook: "Logbook" }), 200, Task);
    await served.engine.settled(started.id);
    const { tasks } = await read(await served.api("/tasks?app=demo-notes"), 200, Tasks);
    expect(tasks[0]).toMatchObject({ id: started.id, state: "COMPLETED" });

    const media = await read(await served.post("/apps/demo-media/install", {}), 202, Task);
    await served.engine.settled(media.id);
    await read(await served.api("/apps/demo-media"), 200, AppDetail);
    const { actions } = await read(await served.api("/apps/demo-media/actions"), 200, Actions);
    expect(actions.map(({ hookId, state }) => `${hookId} ${state}`)).toEqual([
      "configure-library enabled",
      "connect-notes enabled",
    ]);
    await read(await served.api("/apps/demo-media/widgets"), 200, Widgets);
    const widget = await read(await served.api("/apps/demo-media/widgets/library"), 200, Widget);
    expect(widget).toMatchObject({ state: "ready", stale: false, problems: [] });
    const run = await read(await served.post("/apps/demo-media/actions/connect-notes"), 202, Task);
    await served.engine.settled(run.id);
    const { pairings } = await read(await served.api("/apps/demo-media"), 200, AppDetail);
    expect(pairings).toMatchObject([{ hookId: "connect-notes", status: "connected" }]);
  });

  it("syncs the catalog and reports its health", async () => {
    await read(await served.post("/catalog/sync"), 200, Sync);
    await read(await served.api("/health"), 200, Health);
    await read(await served.api("/health/live"), 200, Liveness);
    await read(await served.api("/health/ready"), 200, Readiness);
  });

  it("serves an OpenAPI 3.1 document that is valid", async () => {
    const document = z
      .looseObject({ openapi: z.literal("3.1.0") })
      .parse(await (await served.api("/openapi.json")).json());
    expect(await new Validator().validate(document)).toMatchObject({ valid: true });
  });

  it("describes in that document every route with its errors and every parameter", async () => {
    const { paths } = OpenApi.parse(await (await served.api("/openapi.json")).json());
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${path}`, ...operation })),
    );
    expect(operations.map(({ name }) => name).sort()).toEqual(ROUTES);
    for (const { name, summary, responses, parameters } of operations) {
      expect([name, summary.length > 0]).toEqual([name, true]);
      expect([name, responses["default"]?.content]).toEqual([name, { "application/problem+json": expect.anything() }]);
      expect([name, parameters.filter(({ description }) => description === undefined)]).toEqual([name, []]);
    }
  });
});

describe("the routes", () => {
  it("can be mounted behind the embedder's own authentication", async () => {
    const own = new Hono();
    own.use(async (c, next) => (c.req.header("x-session") === "ada" ? next() : c.text("sign in", 401)));
    own.route("/", createHttpApp(served.engine));
    expect((await own.request("/api/tasks")).status).toBe(401);
    await read(await own.request("/api/tasks", { headers: { "x-session": "ada" } }), 200, Tasks);
  });

  const under = (path: string) => new Hono().route(path, createHttpApp(served.engine));
  it.each([
    ["app.route at the root", () => under("/"), ""],
    ["app.route below a path", () => under("/slipway"), "/slipway"],
    ["app.route below a path with a parameter", () => under("/of/:box"), "/of/nas"],
    ["app.mount", () => new Hono().mount("/slipway", createHttpApp(served.engine).fetch), "/slipway"],
  ])("keep their bodies of 404 and 405 under %s", async (_, mounted, path) => {
    const own = mounted();
    await read(await own.request(`${path}/api/tasks`), 200, Tasks);
    const missing = await own.request(`${path}/api/nothing`);
    expect(missing.headers.get("content-type")).toBe("application/problem+json");
    expect(await read(missing, 404, ProblemDetailsShape)).toMatchObject({ code: "HTTP_NOT_FOUND" });
    const refused = await own.request(`${path}/api/tasks/t1/retry`, { method: "DELETE" });
    expect(refused.headers.get("allow")).toBe("POST");
    expect(await read(refused, 405, ProblemDetailsShape)).toMatchObject({ code: "HTTP_METHOD_NOT_ALLOWED" });
    const unknown = await own.request(`${path}/api/tasks/t1`);
    expect(await read(unknown, 404, ProblemDetailsShape)).toMatchObject({ code: "TASK_UNKNOWN" });
  });
});

describe("GET /api/apps/{appId}/pairings", () => {
  it("answers with the pairings and an ETag that answers 304 when sent back", async () => {
    const first = await served.api("/apps/demo-media/pairings");
    const etag = first.headers.get("etag") ?? "";
    const body = await read(first, 200, Pairings);
    expect(body).toEqual({
      appId: "demo-media",
      pairings: [
        {
          targets: [{ appId: "demo-notes", name: "Demo Notes", icon: expect.any(String) }],
          runsOnAppId: "demo-media",
          hookId: "connect-notes",
          title: "Connect to Demo Notes",
          description: "Links Demo Media with Demo Notes, so that a note can show what you watch.",
          kind: "connect",
        },
      ],
    });
    for (const sent of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const again = await served.api("/apps/demo-media/pairings", { headers: { "if-none-match": sent } });
      expect([sent, again.status, await again.text()]).toEqual([sent, 304, ""]);
    }
  });

  it("the pairings of an unknown app id are an empty list", async () => {
    expect(await read(await served.api("/apps/nobody/pairings"), 200, Pairings)).toEqual({
      appId: "nobody",
      pairings: [],
    });
  });

  it.each(["UPPER", "-leading", "a".repeat(65), "dot.dot", "..%2F..%2Fetc"])(
    "a malformed app id is answered with 400: %s",
    async (id) => {
      const problem = await read(await served.api(`/apps/${id}/pairings`), 400, ProblemDetailsShape);
      expect(problem.code).toBe("HTTP_BAD_REQUEST");
    },
  );
});

/** Errors are RFC 9457 bodies with our code. */
const ERRORS: readonly [row: string, method: string, path: string, body: unknown, status: number, code: string][] = [
  ["no such route", "GET", "/nothing", undefined, 404, "HTTP_NOT_FOUND"],
  ["an unknown app", "GET", "/apps/nobody", undefined, 404, "TASK_APP_UNKNOWN"],
  ["an unknown task", "GET", "/tasks/nobody", undefined, 404, "TASK_UNKNOWN"],
  ["an unknown task's decision", "POST", "/tasks/nobody/retry", undefined, 404, "TASK_UNKNOWN"],
  ["an install of an unknown app", "POST", "/apps/nobody/install", {}, 404, "TASK_APP_UNKNOWN"],
  ["an unknown widget", "GET", "/apps/demo-media/widgets/nope", undefined, 404, "WIDGET_UNKNOWN"],
  ["an unknown key in the body", "POST", "/apps/demo-notes/install", { anwsers: {} }, 400, "TASK_REQUEST_INVALID"],
  ["a body of the wrong type", "POST", "/apps/demo-notes/install", [1], 400, "TASK_REQUEST_INVALID"],
  [
    "an answer of another type than its question's",
    "POST",
    "/apps/demo-notes/install",
    { answers: { admin_user: {} } },
    422,
    "ANSWER_TYPE",
  ],
  ["an unknown mode", "GET", "/apps/demo-notes/form?mode=odd", undefined, 400, "HTTP_BAD_REQUEST"],
];

describe("errors are RFC 9457 bodies with the code used everywhere", () => {
  it.each(ERRORS)("%s", async (_row, method, path, body, status, code) => {
    const response = method === "GET" ? await served.api(path) : await served.post(path, body);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    expect(await read(response, status, ProblemDetailsShape)).toMatchObject({ status, code });
  });

  it("a conflict is answered with 409 and the running task's id", async () => {
    const { id } = await read(await served.post("/apps/demo-media/update", {}), 202, Task);
    const problem = await read(await served.post("/apps/demo-media/update", {}), 409, ProblemDetailsShape);
    expect(problem).toMatchObject({ code: "TASK_CONFLICT", taskId: id });
    await served.engine.settled(id);
  });

  it("answers a refused request with every problem", async () => {
    const answers = { admin_user: 5, admin_password: false };
    const problem = await read(await served.post("/apps/demo-notes/update", { answers }), 422, ProblemDetailsShape);
    expect(problem.problems?.map(({ path }) => path)).toEqual([
      ["answers", "admin_user"],
      ["answers", "admin_password"],
    ]);
  });

  it("gives every response a request id, and has no browser guess its type", async () => {
    const [a, b] = [await served.api("/tasks"), await served.api("/nothing")];
    expect(a.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    expect(b.headers.get("x-request-id")).not.toBe(a.headers.get("x-request-id"));
    const sniffing = (response: Response) => response.headers.get("x-content-type-options");
    expect([a, b].map(sniffing)).toEqual(["nosniff", "nosniff"]);
    const routes = createHttpApp(served.engine);
    for (const path of [
      "/tasks",
      "/nothing",
      "/openapi.json",
      "/apps/demo-notes/pairings",
      "/apps/X",
      "/catalog/sync",
    ]) {
      expect([path, sniffing(await routes.request(`/api${path}`))]).toEqual([path, "nosniff"]);
    }
  });
});
