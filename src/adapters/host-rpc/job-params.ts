/** The port's jobs as the host takes them. */
import type { Json } from "../../core/json/json.ts";
import type { JobCall } from "../../engine/ports/host-records.ts";
import type { HostMethod } from "./host-calls.ts";

/** The host's method of each job of the port. */
export const JOB_METHODS = {
  createApp: "app.create",
  updateApp: "app.update",
  upgradeApp: "app.upgrade",
  rollBackApp: "app.rollback",
  startApp: "app.start",
  stopApp: "app.stop",
  deleteApp: "app.delete",
  setOwner: "filesystem.setacl",
} as const satisfies Readonly<Record<JobCall["method"], HostMethod>>;

/** Parameters of a job method, in the host's order (docs/host-api.md, sections 4 and 7). */
export function buildJobParams(call: JobCall): Json[] {
  switch (call.method) {
    case "createApp": {
      const { name, catalogApp, train, version = "latest", values } = call;
      return [{ app_name: name, catalog_app: catalogApp, train, version, values }];
    }
    case "updateApp":
      return [call.name, { values: call.values }];
    case "upgradeApp":
      return [call.name, { app_version: call.version ?? "latest", values: call.values ?? {} }];
    case "rollBackApp":
      return [call.name, { app_version: call.version, rollback_snapshot: true }];
    case "startApp":
    case "stopApp":
      return [call.name];
    case "deleteApp":
      return [call.name, { remove_images: true, remove_ix_volumes: call.removeVolumes }];
    case "setOwner": {
      const { path, uid, gid, acl } = call;
      const dacl = acl.entries.map((entry) => ({ ...entry }));
      // The host checks every parent for the owner too, which fails below other apps' folders. Containers need no way
      // through the parents: the container service binds the path as root.
      return [{ path, uid, gid, acltype: acl.acltype, dacl, options: { validate_effective_acl: false } }];
    }
  }
}
