import type { CodeText } from "./row.ts";

/** Codes of the HTTP interface (RFC 9457 bodies carry them as `code`). */
export const HTTP_CODES = {
  HTTP_BAD_REQUEST: {
    status: 400,
    title: "The request does not fit its schema",
    hint: "see the errors for the fields and correct them",
  },
  HTTP_NOT_FOUND: { status: 404, title: "There is nothing at this address", hint: "see openapi.json for the routes" },
  HTTP_METHOD_NOT_ALLOWED: {
    status: 405,
    title: "The address does not take this method",
    hint: "see openapi.json for the methods of each route",
  },
  HTTP_UNAUTHORIZED: {
    status: 401,
    title: "The bearer token is missing or wrong",
    hint: 'send "Authorization: Bearer TOKEN" with the token the server was started with',
  },
  HTTP_HOST_REFUSED: {
    status: 403,
    title: "The Host header names no address of this server",
    hint: "use the address the server was started with",
  },
  HTTP_ORIGIN_REFUSED: {
    status: 403,
    title: "Pages of other origins may not call this server",
    hint: "call it from the same origin, or from no page at all (createHttpApp behind a proxy that rewrites Host: allowedOrigins)",
  },
  HTTP_BODY_TOO_LARGE: { status: 413, title: "The request body is too large", hint: "send at most 1 MB" },
  HTTP_MEDIA_TYPE: {
    status: 415,
    title: "The request body is not of the media type the route takes",
    hint: 'send JSON with "Content-Type: application/json"',
  },
  HTTP_RATE_LIMITED: {
    status: 429,
    title: "Too many requests came from this address",
    hint: "wait as long as the Retry-After header says",
  },
  HTTP_STREAMS_EXHAUSTED: {
    status: 503,
    title: "Too many event streams are open",
    hint: "close streams that are no longer read",
  },
  HTTP_TOKEN_REQUIRED: {
    title: "An address beyond loopback needs a bearer token",
    hint: "start the server with --token-file (metrics: --metrics-token-file), or listen on 127.0.0.1",
  },
  HTTP_LISTEN_FAILED: {
    title: "The server can't listen on this address",
    hint: "choose a free port of this machine with --listen ADDR:PORT (metrics: --metrics ADDR:PORT)",
  },
  HTTP_READ_ONLY: {
    status: 403,
    title: "A database is only looked at here, without an engine",
    hint: "start the engine on the database, and use its own address",
  },
  HTTP_INTERNAL: {
    audience: "host",
    status: 500,
    title: "The server made a mistake",
    hint: "look for the request id in the log, and report it",
  },
} as const satisfies Record<string, CodeText>;
