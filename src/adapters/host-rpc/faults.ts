/** Faults of the host in our codes: rows of a table, first match wins (docs/host-api.md, section 10). */
import type { Code } from "../../core/codes/code.ts";
import type { HostFault } from "../../engine/ports/host-records.ts";
import { type RpcError, readFieldErrors, type WireJob } from "./wire.ts";

/** Errnos by number: `data.errname` is absent inside `extra` and `exc_info`. */
const ERRNAMES: Readonly<Record<number, string>> = {
  1: "EPERM",
  2: "ENOENT",
  13: "EACCES",
  14: "EFAULT",
  16: "EBUSY",
  17: "EEXIST",
  20: "ENOTDIR",
  22: "EINVAL",
  28: "ENOSPC",
  39: "ENOTEMPTY",
  74: "EBADMSG",
  95: "EOPNOTSUPP",
  205: "EDATASETISLOCKED",
  207: "ENOTAUTHENTICATED",
};

type Evidence = { readonly errname: string; readonly reason: string; readonly fields: HostFault["fields"] };
type Rule = { readonly code: Code; readonly retryable?: true; readonly when: (seen: Evidence) => boolean };

const matchReason = (pattern: RegExp) => (seen: Evidence) => pattern.test(seen.reason);
const matchName =
  (...names: string[]) =>
  (seen: Evidence) =>
    names.includes(seen.errname);

const RULES: readonly Rule[] = [
  { code: "HOST_SESSION_ENDED", retryable: true, when: matchName("ENOTAUTHENTICATED") },
  { code: "HOST_SESSION_ENDED", retryable: true, when: matchReason(/session is expired/i) },
  { code: "HOST_RATE_LIMITED", retryable: true, when: matchReason(/rate limit|toomanyrequests/i) },
  {
    code: "HOST_APPS_UNAVAILABLE",
    retryable: true,
    when: matchReason(/docker service is not running|no pool configured for docker/i),
  },
  {
    code: "HOST_PORT_CONFLICT",
    when: matchReason(/conflicts have been detected|port is already allocated|address already in use|port .*\bin use/i),
  },
  { code: "HOST_NAME_TAKEN", when: matchReason(/application with name .* already exists/i) },
  { code: "HOST_UPGRADE_NONE", when: matchReason(/no upgrade available/i) },
  { code: "HOST_APP_STOPPED", when: matchReason(/must not be in stopped state/i) },
  { code: "HOST_DATASET_LOCKED", when: matchName("EDATASETISLOCKED") },
  { code: "HOST_ACL_UNSUPPORTED", when: matchName("EOPNOTSUPP") },
  { code: "HOST_ACL_UNSUPPORTED", when: ({ fields }) => fields.some(({ field }) => field.endsWith("acltype")) },
  { code: "HOST_EXISTS", when: matchName("EEXIST") },
  { code: "HOST_EXISTS", when: matchReason(/already exists/i) },
  // The name of a share that is taken is EINVAL.
  { code: "HOST_EXISTS", when: matchReason(/share names are case-insensitive and must be unique/i) },
  // Unexpected exceptions are all EINVAL: a missing parent and an unknown account show in the words alone.
  { code: "HOST_PATH_LINKED", retryable: true, when: matchReason(/\[Errno 40\]/) },
  { code: "HOST_NOT_FOUND", when: matchReason(/\[Errno 2\]|with this name does not exist/i) },
  { code: "HOST_NOT_FOUND", when: matchName("ENOENT") },
  // A missing role is EACCES; EPERM comes from checks of a path, whoever calls.
  { code: "HOST_PERMISSION", when: matchName("EACCES") },
  { code: "HOST_PATH_REFUSED", when: matchName("EPERM") },
  { code: "HOST_PATH_REFUSED", when: matchReason(/\[Errno (1|13|30)\]/) },
  { code: "HOST_DATASET_BUSY", when: matchReason(/cannot unmount/i) },
  { code: "HOST_BUSY", retryable: true, when: matchName("EBUSY") },
  { code: "HOST_INVALID", when: ({ fields }) => fields.length > 0 },
];

/** The fault of an RPC error; `mask` hides the API key in the host's words. */
export function readRpcError(error: RpcError, mask: (text: string) => string): HostFault {
  if (error.code === -32601) return createFault("HOST_METHOD_UNKNOWN", mask(error.message), false);
  if (error.code === -32000) return createFault("HOST_BUSY", mask(error.message), true);
  const data = error.data;
  if (data == null) return createFault("HOST_CALL_FAILED", mask(error.message), false);
  const fields = readFieldErrors(data.extra);
  // On -32602 `data.error` is always 22: the errno inside `extra` is the true one.
  const inner = error.code === -32602 ? fields.find(([, , errno]) => errno != null)?.[2] : undefined;
  return classify({
    errname: findErrname(inner ?? data.error) ?? data.errname ?? "",
    reason: mask(findWords(data.reason, fields) ?? error.message),
    fields: fields.map(([field, message]) => ({ field: stripSchemaName(field), message: mask(message) })),
  });
}

/** The fault of a job in FAILED or ABORTED; an aborted one has neither `error` nor `exc_info`. */
export function readJobFault(job: WireJob, mask: (text: string) => string): HostFault {
  if (job.state === "ABORTED") return createFault("HOST_JOB_ABORTED", `the job ${job.method} was aborted`, true);
  const fields = readFieldErrors(job.exc_info?.extra);
  const inner = fields.find(([, , errno]) => errno != null)?.[2];
  return classify({
    errname: findErrname(job.exc_info?.errno ?? inner) ?? /^\[(E[A-Z]+)\]/.exec(job.error ?? "")?.[1] ?? "",
    reason: mask(findWords(job.error, fields) ?? `the job ${job.method} failed without a reason`),
    fields: fields.map(([field, message]) => ({ field: stripSchemaName(field), message: mask(message) })),
  });
}

/** A fault that is only a code and its words. */
export function createFault(code: Code, reason: string, retryable: boolean): HostFault {
  return { code, reason, fields: [], retryable };
}

function classify(seen: Evidence): HostFault {
  const rule = RULES.find(({ when }) => when(seen));
  return {
    code: rule?.code ?? "HOST_CALL_FAILED",
    reason: seen.reason,
    ...(seen.errname !== "" && { errname: seen.errname }),
    fields: seen.fields,
    retryable: rule?.retryable ?? false,
  };
}

function findErrname(errno: number | null | undefined): string | undefined {
  return errno == null ? undefined : ERRNAMES[errno];
}

/** The host's sentence, else the field errors in one line. */
function findWords(reason: string | null | undefined, fields: ReturnType<typeof readFieldErrors>): string | undefined {
  const said = reason?.trim();
  if (said !== undefined && said !== "") return said;
  if (fields.length === 0) return undefined;
  return fields.map(([field, message]) => (field === null ? message : `${field}: ${message}`)).join("; ");
}

/**
 * The path inside the app's values: check errors carry the method's schema name before it, schema errors do not
 * (docs/host-api.md, section 6).
 */
function stripSchemaName(field: string | null): string {
  return (field ?? "").replace(/^app_(create|update|upgrade)\./, "").replace(/^values\./, "");
}
