import type { Code } from "../core/codes.ts";

/** Statuses the routes answer errors with. */
export const ERROR_STATUSES = [400, 401, 403, 404, 405, 409, 413, 415, 422, 429, 500, 502, 503] as const;
export type ErrorStatus = (typeof ERROR_STATUSES)[number];

const BY_CODE: Partial<Record<Code, ErrorStatus>> = {
  HTTP_BAD_REQUEST: 400,
  HTTP_UNAUTHORIZED: 401,
  HTTP_HOST_REFUSED: 403,
  HTTP_ORIGIN_REFUSED: 403,
  HTTP_NOT_FOUND: 404,
  HTTP_METHOD_NOT_ALLOWED: 405,
  HTTP_BODY_TOO_LARGE: 413,
  HTTP_MEDIA_TYPE: 415,
  HTTP_RATE_LIMITED: 429,
  HTTP_STREAMS_EXHAUSTED: 503,
  HTTP_INTERNAL: 500,
  ACTION_UNKNOWN: 404,
  WIDGET_UNKNOWN: 404,
  ACTION_UNAVAILABLE: 409,
  TASK_UNKNOWN: 404,
  TASK_APP_UNKNOWN: 404,
  TASK_HOOK_UNKNOWN: 422,
  TASK_INPUT_UNKNOWN: 422,
  HOST_UPGRADE_NONE: 409,
};

const BY_AREA: Readonly<Record<string, ErrorStatus>> = {
  TASK: 409,
  HOST: 502,
  STORE: 503,
  SANDBOX: 503,
};

/** The HTTP status of a code: by the code itself, else by its area, else 422 (the request was understood and refused). */
export function statusOf(code: Code): ErrorStatus {
  return BY_CODE[code] ?? BY_AREA[code.slice(0, code.indexOf("_"))] ?? 422;
}
