import type { Json, JsonObject } from "../../core/json/json.ts";

/** Error numbers the host uses (docs/host-api.md, section 10), by name. */
export const ERRNO = {
  EPERM: 1,
  ENOENT: 2,
  EACCES: 13,
  EFAULT: 14,
  EBUSY: 16,
  EEXIST: 17,
  ENOTDIR: 20,
  EINVAL: 22,
  ENOTEMPTY: 39,
  EBADMSG: 74,
  EOPNOTSUPP: 95,
  ENOMETHOD: 201,
  EDATASETISLOCKED: 205,
  ENOTAUTHENTICATED: 207,
} as const;

/** Name of a host error number. */
type Errname = keyof typeof ERRNO;

/** One finding about an argument: attribute path (null: the call as a whole), message, errno. */
export type ArgumentFault = readonly [attribute: string | null, message: string, errno: number];

/** A call that fails the way the host fails it: on the wire as a JSON-RPC error, in a job as its `error`. */
export class RpcError extends Error {
  override readonly name = "RpcError";
  readonly code: number;
  readonly data: ErrorData | undefined;

  constructor(code: number, message: string, data?: ErrorData) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** `data` of -32602 and -32001. */
export interface ErrorData {
  readonly error: number;
  readonly errname: string;
  readonly reason: string;
  /** The Python class behind it; the wire's `trace` is made of it. */
  readonly traceClass: string;
  readonly extra: readonly ArgumentFault[] | null;
}

/** "Method call error": the host refused on purpose, with a real errno; `reason` starts with its name. */
export function createCallError(errname: Errname, text: string): RpcError {
  const reason = `[${errname}] ${text}`;
  return new RpcError(-32001, "Method call error", {
    error: ERRNO[errname],
    errname,
    reason,
    traceClass: "CallError",
    extra: null,
  });
}

/** The container engine's words when an app fails to start; `more` is appended. */
export function createUpFailure(app: string, more = ""): RpcError {
  return createCallError(
    "EFAULT",
    `Failed 'up' action for '${app}' app. Please check /var/log/app_lifecycle.log for more details${more}`,
  );
}

/** "Method call error" for an exception nobody expected: the errno is always EINVAL, the reason the bare text. */
export function createUnexpectedError(traceClass: string, reason: string): RpcError {
  return new RpcError(-32001, "Method call error", {
    error: ERRNO.EINVAL,
    errname: "EINVAL",
    reason,
    traceClass,
    extra: null,
  });
}

/** "Invalid params": findings about arguments; the errno of each is inside `extra`. */
export function createInvalidParams(extra: readonly ArgumentFault[]): RpcError {
  const lines = extra.map(([attribute, message, errno]) => `[${findErrname(errno)}] ${attribute ?? "ALL"}: ${message}`);
  return new RpcError(-32602, "Invalid params", {
    error: ERRNO.EINVAL,
    errname: "EINVAL",
    reason: `${lines.join("\n")}\n`,
    traceClass: "ValidationErrors",
    extra,
  });
}

/** One finding about one argument, by default EINVAL. */
export function createInvalidParam(attribute: string | null, message: string, errname: Errname = "EINVAL"): RpcError {
  return createInvalidParams([[attribute, message, ERRNO[errname]]]);
}

/** The session is not logged in, or no longer. */
export function createNotAuthenticated(): RpcError {
  return createCallError("ENOTAUTHENTICATED", "Not authenticated");
}

/** A JSON-RPC error answer. Hosts from 26.0 on leave `trace.frames` out. */
export function buildErrorAnswer(id: string | number | null, error: RpcError, withFrames: boolean): JsonObject {
  const { data } = error;
  return {
    jsonrpc: "2.0",
    id,
    error: {
      code: error.code,
      message: error.message,
      ...(data !== undefined && {
        data: {
          error: data.error,
          errname: data.errname,
          reason: data.reason,
          trace: buildTrace(data.traceClass, data.reason, withFrames),
          extra: data.extra,
        },
      }),
    },
  };
}

/** The same failure as the end of a job: `error`, `exception` and `exc_info` of the job object. */
export function toJobFailure(error: RpcError): { error: string; exception: string; excInfo: JsonObject } {
  const data = error.data;
  const reason = data?.reason ?? error.message;
  const validation = data?.extra !== null && data?.extra !== undefined;
  const type = validation ? "VALIDATION" : (data?.traceClass ?? "Exception");
  return {
    error: reason,
    exception: `Traceback (most recent call last):\n${type}: ${reason}`,
    excInfo: {
      type,
      errno: validation || type !== "CallError" ? null : (data?.error ?? null),
      extra: data?.extra ?? null,
      repr: `${validation ? "ValidationErrors" : type}(${JSON.stringify(reason)})`,
    },
  };
}

function buildTrace(traceClass: string, reason: string, withFrames: boolean): Json {
  return {
    class: traceClass,
    ...(withFrames && { frames: [] }),
    formatted: `Traceback (most recent call last):\n${traceClass}: ${reason}`,
    repr: `${traceClass}(${JSON.stringify(reason)})`,
  };
}

function findErrname(errno: number): string {
  return Object.entries(ERRNO).find(([, value]) => value === errno)?.[0] ?? "EINVAL";
}
