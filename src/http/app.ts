import { OpenAPIHono, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { bodyLimit } from "hono/body-limit";
import { HTTPException } from "hono/http-exception";
import { routePath } from "hono/route";
import { EngineError } from "../core/codes/problems.ts";
import type { Actor, Engine } from "../engine/api.ts";
import { MAX_EXPORT } from "../engine/move/export-file.ts";
import { createRequestError, describeFault, shortenFaults, toRequestFaults } from "../engine/requests.ts";
import type { RouteContext } from "./context.ts";
import { readOrigins, refuseForeignPage } from "./foreign-pages.ts";
import { describeRoutes } from "./openapi.ts";
import {
  createProblemDetails,
  createProblemResponse,
  isHidden,
  NO_STORE,
  toProblemDetails,
} from "./problem-details.ts";
import { addAdoptionRoutes } from "./routes/adoptions.ts";
import { addAppRoutes } from "./routes/apps.ts";
import { addAuditRoutes } from "./routes/audit.ts";
import { addDashboardRoutes } from "./routes/dashboard.ts";
import { addDriftRoutes } from "./routes/drift.ts";
import { addEventRoutes } from "./routes/events.ts";
import { addFileRoutes } from "./routes/files.ts";
import { addIconRoutes } from "./routes/icons.ts";
import { addIdentityRoute } from "./routes/identity.ts";
import { addMoveRoutes } from "./routes/moves.ts";
import { addNotificationRoutes } from "./routes/notifications.ts";
import { addPairingRoutes } from "./routes/pairings.ts";
import { addSessionRoutes } from "./routes/sessions.ts";
import { addSystemRoutes } from "./routes/system.ts";
import { addTaskRoutes } from "./routes/tasks.ts";
import { addUpgradeRoutes } from "./routes/upgrades.ts";
import { nameCookie, type Sessions } from "./sessions.ts";

/** The routes as `hc` of `hono/client` takes them: `hc<HttpRoutes>("http://127.0.0.1:8765/api")`. */
export type HttpRoutes =
  | ReturnType<typeof addAdoptionRoutes>
  | ReturnType<typeof addAppRoutes>
  | ReturnType<typeof addTaskRoutes>
  | ReturnType<typeof addAuditRoutes>
  | ReturnType<typeof addDashboardRoutes>
  | ReturnType<typeof addDriftRoutes>
  | ReturnType<typeof addEventRoutes>
  | ReturnType<typeof addFileRoutes>
  | ReturnType<typeof addIconRoutes>
  | ReturnType<typeof addIdentityRoute>
  | ReturnType<typeof addMoveRoutes>
  | ReturnType<typeof addNotificationRoutes>
  | ReturnType<typeof addPairingRoutes>
  | ReturnType<typeof addSessionRoutes>
  | ReturnType<typeof addSystemRoutes>
  | ReturnType<typeof addUpgradeRoutes>;

/** Handed to every request by the server; an embedder's mount hands nothing. */
const RequestId = z.object({ requestId: z.string() });

/** Of `slipway serve`: routes without sessions show its cookie in their document. */
const DEFAULT_PORT = 8765;
/** Methods of which a page of another origin sends none. */
const CHANGES = ["POST", "PUT", "PATCH", "DELETE"];
/** Largest request body, in bytes; an export in one is escaped, and has characters of several bytes. */
const BODY_LIMIT = 1024 * 1024;
const IMPORT_LIMIT = 4 * MAX_EXPORT;

export interface HttpAppOptions {
  /**
   * Whoever sends a request, as your authentication knows them; `env` is what the request was handed over with. It is asked
   * for requests that change something, and what it answers is believed: take it from nothing a client may write. Default:
   * everybody is `unnamed`.
   */
  readonly actor?: (request: Request, env: unknown) => Actor;
  /**
   * Origins whose pages may change things beside those of the Host header, e.g. `https://nas.example`: for a proxy that
   * rewrites that header. Default: none.
   */
  readonly allowedOrigins?: readonly string[];
  /** Ms between two heartbeats of an event stream (15,000). */
  readonly heartbeatMs?: number;
  /** Aborts when the embedder shuts down: ends open event streams. */
  readonly closing?: AbortSignal;
  /** Sessions of browsers, of a server that asks for a token: `startHttpServer` makes them. Default: no route for them. */
  readonly sessions?: Sessions;
  /** Nonce in the lock file of the engine's database, for `GET identity`. Default: no such route. */
  readonly lockNonce?: string;
  /** Told of errors of which the client sees the code only: bugs, and faults of the database, the host or the catalog. */
  readonly onHiddenError?: (error: unknown, requestId: string | undefined) => void;
}

/**
 * The routes under `/api`, thin over the engine: mount them behind your own authentication, or let `serve`
 * guard them. Every error is an RFC 9457 body with our code. Throws where an allowed origin is none.
 */
export function createHttpApp(engine: Engine, options: HttpAppOptions = {}): OpenAPIHono {
  const context: RouteContext = {
    engine,
    by: ({ req, env }) => (options.actor === undefined ? {} : { actor: options.actor(req.raw, env) }),
    heartbeatMs: options.heartbeatMs ?? 15_000,
    closing: options.closing ?? new AbortController().signal,
  };
  const api = new OpenAPIHono({
    defaultHook: (result) => {
      if (result.success) return;
      const faults = toRequestFaults(result.error);
      // A body is the request an embedder hands the engine, and refused as the engine would refuse it.
      if (result.target === "json") throw createRequestError(faults);
      const errors = shortenFaults(faults);
      throw new EngineError("HTTP_BAD_REQUEST", describeFault(errors[0]), { errors });
    },
  });
  const allowedOrigins = readOrigins(options.allowedOrigins ?? []);
  api.on(CHANGES, "*", async ({ req }, next) => {
    const host = req.header("host") ?? new URL(req.url).host;
    const page = { host, origin: req.header("origin"), fetchSite: req.header("sec-fetch-site") };
    const refusal = refuseForeignPage(page, allowedOrigins);
    if (refusal !== null) return createProblemResponse(refusal);
    await next();
  });
  api.post("*", async ({ req }, next) => {
    // An empty body is none, whatever the type a client announces with it.
    if (req.header("content-length") === "0") req.raw.headers.delete("content-type");
    await next();
  });
  const [limit, limitImport] = [limitBody(BODY_LIMIT), limitBody(IMPORT_LIMIT)];
  api.on(["POST", "PUT"], "*", (c, next) => (isImport(c.req.path) ? limitImport : limit)(c, next));
  addPairingRoutes(api, context);
  addAppRoutes(api, context);
  addAdoptionRoutes(api, context);
  addIconRoutes(api, context);
  addDashboardRoutes(api, context);
  addFileRoutes(api, context);
  addTaskRoutes(api, context);
  addAuditRoutes(api, context);
  addNotificationRoutes(api, context);
  addDriftRoutes(api, context);
  addEventRoutes(api, context);
  addUpgradeRoutes(api, context);
  addMoveRoutes(api, context);
  addSystemRoutes(api, context);
  if (options.sessions !== undefined) addSessionRoutes(api, options.sessions);
  if (options.lockNonce !== undefined) addIdentityRoute(api, options.lockNonce);
  let described: object | undefined;
  api.get("/openapi.json", (c) => {
    described ??= describeRoutes(api, options.sessions?.cookieName ?? nameCookie(DEFAULT_PORT));
    // Where the routes stand under an embedder's path, so does what the document tells clients to call.
    const servers = [{ url: c.req.path.slice(0, -"/openapi.json".length) }];
    return c.json({ ...described, servers }, 200, NO_STORE);
  });

  const app = new OpenAPIHono();
  app.route("/api", api);
  const refuseUnknown = (c: Context) =>
    refusePath(c.req.method, c.req.path, listAllowedMethods(app, readPathBelowMount(c)));
  // A route of its own: an app that takes over these routes takes over no handler of what is not found.
  app.all(EVERYTHING, refuseUnknown);
  app.notFound((c) => refusePath(c.req.method, c.req.path, []));
  app.onError((error, c) => {
    const fault = toRequestError(error);
    if (isHidden(fault)) tellHidden(options, error, RequestId.safeParse(c.env).data?.requestId);
    const details = toProblemDetails(fault);
    const { retryAfter } = details;
    return createProblemResponse(details, retryAfter === undefined ? {} : { "retry-after": String(retryAfter) });
  });
  return app;
}

function limitBody(maxSize: number) {
  return bodyLimit({
    maxSize,
    onError: () =>
      createProblemResponse(createProblemDetails("HTTP_BODY_TOO_LARGE", `the body is larger than ${maxSize} bytes`)),
  });
}

/** Whether an export comes with a request for this path. */
function isImport(path: string): boolean {
  return /\/api\/import(\/preview)?$/.test(path);
}

/** Matches every path of these routes. */
const EVERYTHING = "/api/*";

/** The path as the routes know it: without what an embedder's app put them under. */
function readPathBelowMount(c: Context): string {
  const mount = routePath(c).slice(0, -EVERYTHING.length);
  const above = mount.split("/").length - 1;
  return `/${c.req.path
    .split("/")
    .slice(1 + above)
    .join("/")}`;
}

function refusePath(method: string, path: string, allowed: readonly string[]): Response {
  if (allowed.length === 0)
    return createProblemResponse(createProblemDetails("HTTP_NOT_FOUND", `there is nothing at "${path}"`));
  const methods = allowed.join(", ");
  const details = createProblemDetails("HTTP_METHOD_NOT_ALLOWED", `"${path}" has no ${method}, allowed is ${methods}`);
  return createProblemResponse(details, { allow: methods });
}

/** Whoever is told of an error changes nothing of the answer by failing. */
function tellHidden({ onHiddenError }: HttpAppOptions, error: unknown, requestId: string | undefined): void {
  try {
    onHiddenError?.(error, requestId);
  } catch {
    // Nobody is left to tell.
  }
}

/** The methods of the routes at a path (RFC 9110, section 15.5.6); middleware is of every method and does not count. */
function listAllowedMethods({ routes }: OpenAPIHono, path: string): readonly string[] {
  const segments = path.split("/");
  const fits = (pattern: string) => {
    const parts = pattern.split("/");
    return (
      parts.length === segments.length &&
      parts.every((part, at) => (part.startsWith(":") ? segments[at] !== "" : part === segments[at]))
    );
  };
  // Every route that answers GET answers HEAD.
  const methods = routes
    .filter((route) => fits(route.path))
    .flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : method));
  return [...new Set(methods)].filter((method) => method !== "ALL");
}

/** An error of the framework about a request, with our code. */
function toRequestError(error: Error): Error {
  if (!(error instanceof HTTPException) || error.status >= 500) return error;
  const code = error.status === 415 ? "HTTP_MEDIA_TYPE" : "HTTP_BAD_REQUEST";
  return new EngineError(code, error.message, {}, error);
}
