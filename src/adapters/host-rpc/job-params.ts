/** Job methods as the host takes them. */
import type { Json } from "../../core/json/json.ts";
import type { JobCall } from "../../engine/ports/host-records.ts";

/** Parameters of a job method, in the host's order (docs/host-api.md, sections 4 and 7). */
export function buildJobParams(call: JobCall): Json[] {
  switch (call.method) {
    case "app.create": {
      const { name, catalogApp, train, version = "latest", values } = call;
      return [{ app_name: name, catalog_app: catalogApp, train, version, values }];
    }
    case "app.update":
      return [call.name, { values: call.values }];
    case "app.upgrade":
      return [call.name, { app_version: call.version ?? "latest", values: {} }];
    case "app.rollback":
      return [call.name, { app_version: call.version, rollback_snapshot: true }];
    case "app.start":
    case "app.stop":
      return [call.name];
    case "app.delete":
      return [call.name, { remove_images: true, remove_ix_volumes: call.removeVolumes }];
    case "service.control":
      return [call.verb, call.service];
    case "filesystem.setacl": {
      const { path, uid, gid, acltype } = call;
      return [{ path, uid, gid, acltype, dacl: acltype === "NFS4" ? NFS4_ENTRIES : POSIX_ENTRIES, options: {} }];
    }
  }
}

/** Owner everything, group everything but the ACL; new children inherit both. */
const NFS4_ENTRIES: Json = [buildNfs4Entry("owner@", "FULL_CONTROL"), buildNfs4Entry("group@", "MODIFY")];

function buildNfs4Entry(tag: string, perms: string): Json {
  return { tag, id: null, type: "ALLOW", perms: { BASIC: perms }, flags: { BASIC: "INHERIT" } };
}

/** The same rights where a dataset has POSIX ACLs. */
const POSIX_ENTRIES: Json = [false, true].flatMap((isDefault) =>
  (["USER_OBJ", "GROUP_OBJ", "OTHER"] as const).map((tag) => {
    const allowed = tag !== "OTHER";
    return { tag, id: -1, perms: { READ: allowed, WRITE: allowed, EXECUTE: allowed }, default: isDefault };
  }),
);
