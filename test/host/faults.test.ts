import { describe, expect, test } from "vitest";
import { readJobFault, readRpcError } from "../../src/adapters/host-rpc/faults.ts";
import { RpcError, WireJob } from "../../src/adapters/host-rpc/wire.ts";

const asIs = (text: string) => text;

function direct(errno: number, reason: string, extra: unknown = null, code = -32001) {
  const data = { error: errno, errname: null, reason, trace: null, extra };
  return readRpcError(RpcError.parse({ code, message: "Method call error", data }), asIs);
}

function invalid(field: string | null, message: string, errno: number | null = 22) {
  return direct(22, "", [[field, message, errno]], -32602);
}

function failed(error: string | null, exc_info: object | null) {
  const job = { id: 1, message_ids: [], method: "app.create", state: "FAILED", error, exc_info };
  return readJobFault(WireJob.parse(job), asIs);
}

describe("a host's error in our codes (docs/host-api.md, section 10)", () => {
  test.each<[string, ReturnType<typeof direct>, string, string | undefined]>([
    ["name taken", direct(17, "[EEXIST] Application with name x already exists"), "HOST_NAME_TAKEN", "EEXIST"],
    ["another object exists", direct(17, "[EEXIST] tank@a already exists"), "HOST_EXISTS", "EEXIST"],
    [
      "path of a dataset exists, as EINVAL",
      invalid("pool_dataset_create.name", "Path /mnt/tank/x already exists"),
      "HOST_EXISTS",
      "EINVAL",
    ],
    ["snapshot exists in 26.0", invalid("snapshot_create.name", "tank@a", 17), "HOST_EXISTS", "EEXIST"],
    ["app unknown", invalid(null, "App x does not exist", 2), "HOST_NOT_FOUND", "ENOENT"],
    ["path missing", direct(2, "[ENOENT] Path /mnt/x not found"), "HOST_NOT_FOUND", "ENOENT"],
    [
      "parent of a new directory missing",
      direct(22, "[EINVAL] [Errno 2] No such file or directory: '/mnt/a/b'"),
      "HOST_NOT_FOUND",
      "EINVAL",
    ],
    [
      "account unknown, quotes included",
      direct(22, "'bob: user with this name does not exist'"),
      "HOST_NOT_FOUND",
      "EINVAL",
    ],
    [
      "value refused",
      invalid("storage.config.host_path_config.path", "Value error, Path does not exist"),
      "HOST_INVALID",
      "EINVAL",
    ],
    ["path outside /mnt", direct(1, "[EPERM] not permitted"), "HOST_PATH_REFUSED", "EPERM"],
    [
      "path the new owner can't reach",
      failed("[EPERM] Filesystem permissions on path /mnt/tank/a prevent access for user bob", {
        type: "CallError",
        errno: 1,
      }),
      "HOST_PATH_REFUSED",
      "EPERM",
    ],
    [
      "operating system's refusal, as EINVAL",
      direct(22, "[Errno 30] Read-only file system: '/mnt/tank/a'"),
      "HOST_PATH_REFUSED",
      "EINVAL",
    ],
    ["role missing", direct(13, "[EACCES] Not authorized"), "HOST_PERMISSION", "EACCES"],
    ["session expired", direct(13, "[EACCES] Session is expired"), "HOST_SESSION_ENDED", "EACCES"],
    ["not logged in", direct(207, "[ENOTAUTHENTICATED] Not authenticated"), "HOST_SESSION_ENDED", "ENOTAUTHENTICATED"],
    ["apps service down", direct(14, "[EFAULT] Docker service is not running"), "HOST_APPS_UNAVAILABLE", "EFAULT"],
    ["no pool for apps", direct(14, "[EFAULT] No pool configured for Docker"), "HOST_APPS_UNAVAILABLE", "EFAULT"],
    [
      "upgrade of a stopped app",
      direct(14, "[EFAULT] In order to upgrade an app, it must not be in stopped state"),
      "HOST_APP_STOPPED",
      "EFAULT",
    ],
    ["nothing newer", direct(14, "[EFAULT] No upgrade available for 'x'"), "HOST_UPGRADE_NONE", "EFAULT"],
    [
      "port conflict at render time",
      direct(14, "[EFAULT] Failed to render compose templates: The following conflicts have been detected"),
      "HOST_PORT_CONFLICT",
      "EFAULT",
    ],
    [
      "port conflict at start",
      direct(14, "Bind for 0.0.0.0:80 failed: port is already allocated"),
      "HOST_PORT_CONFLICT",
      "EFAULT",
    ],
    ["engine failure", direct(14, "[EFAULT] Failed 'up' action for 'x' app."), "HOST_CALL_FAILED", "EFAULT"],
    [
      "registry's pull limit",
      direct(14, "[EFAULT] Failed 'up' action. You have reached the pull rate limit"),
      "HOST_RATE_LIMITED",
      "EFAULT",
    ],
    ["login limit", direct(16, "[EBUSY] Rate Limit Exceeded"), "HOST_RATE_LIMITED", "EBUSY"],
    ["busy dataset", direct(16, "[EBUSY] pool or dataset is busy"), "HOST_BUSY", "EBUSY"],
    [
      "dataset in use",
      direct(14, "[EFAULT] cannot unmount '/mnt/tank/x': pool or dataset is busy"),
      "HOST_DATASET_BUSY",
      "EFAULT",
    ],
    ["locked dataset", direct(205, "[EDATASETISLOCKED] tank/x is locked"), "HOST_DATASET_LOCKED", "EDATASETISLOCKED"],
    ["ACLs disabled", direct(95, "[EOPNOTSUPP] ACLs are disabled"), "HOST_ACL_UNSUPPORTED", "EOPNOTSUPP"],
    ["other kind of ACL", invalid("filesystem_acl.acltype", "ACL type is invalid"), "HOST_ACL_UNSUPPORTED", "EINVAL"],
    ["no data at all", readRpcError({ code: -32603, message: "Internal error" }, asIs), "HOST_CALL_FAILED", undefined],
  ])("%s", (_, { code, errname }, expectedCode, expectedName) => {
    expect({ code, errname }).toEqual({ code: expectedCode, errname: expectedName });
  });

  test("only what passes by itself is retryable", () => {
    expect(direct(14, "[EFAULT] Docker service is not running").retryable).toBe(true);
    expect(direct(14, "You have reached the pull rate limit").retryable).toBe(true);
    expect(direct(14, "[EFAULT] Failed 'up' action for 'x' app.").retryable).toBe(false);
    expect(direct(17, "[EEXIST] x already exists").retryable).toBe(false);
  });

  test.each([
    ["app_create.network.web_port", "network.web_port"],
    ["app_update.values.network.web_port", "network.web_port"],
    ["storage.config.host_path_config.path", "storage.config.host_path_config.path"],
    ["pool_dataset_create.name", "pool_dataset_create.name"],
  ])("the field %s is %s to the engine", (sent, field) => {
    expect(invalid(sent, "no").fields).toEqual([{ field, message: "no" }]);
  });

  test("the same failure of a job reads the same", () => {
    const reason = "[EEXIST] Application with name jellyfin already exists";
    const asJob = failed(reason, { type: "CallError", errno: 17, extra: null, repr: "" });
    expect(asJob).toEqual(direct(17, reason));
    const extra = [["app_create.catalog_app", "This field is required", 22]];
    expect(
      failed("[EINVAL] app_create.catalog_app: This field is required", { type: "VALIDATION", errno: null, extra }),
    ).toMatchObject({
      code: "HOST_INVALID",
      fields: [{ field: "catalog_app", message: "This field is required" }],
    });
  });

  test("a job that failed with nothing to say is a failure with words of ours", () => {
    expect(failed(null, null)).toEqual({
      code: "HOST_CALL_FAILED",
      reason: "the job app.create failed without a reason",
      fields: [],
      retryable: false,
    });
  });

  test("everything the host says goes through the mask", () => {
    const error = { code: -32602, message: "m", data: { extra: [["f", "secret", 22]], reason: "secret" } };
    const masked = readRpcError(RpcError.parse(error), (text) => text.replaceAll("secret", "***"));
    expect(JSON.stringify(masked)).not.toContain("secret");
  });
});
