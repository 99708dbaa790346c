import { z } from "zod";
import type { JsonObject } from "../../core/json/json.ts";
import { HostError } from "../../engine/host-error.ts";
import type { Host } from "../../engine/ports/host.ts";
import type { HostPath } from "../../engine/ports/host-records.ts";
import { HostAcl } from "./acl.ts";
import { createClones } from "./dataset-clones.ts";
import { createSnapshots } from "./dataset-snapshots.ts";
import type { Session } from "./session.ts";

const Stat = z.object({
  realpath: z.string(),
  type: z.enum(["DIRECTORY", "FILE", "SYMLINK", "OTHER"]).catch("OTHER"),
  uid: z.int(),
  gid: z.int(),
  dev: z.number().nullish().catch(null),
  inode: z.number().nullish().catch(null),
});
const Statfs = z.object({ source: z.string(), dest: z.string(), avail_bytes: z.number() });
/** A ZFS property: `{value: "PASSTHROUGH", rawvalue: "passthrough", ...}`. */
const Property = z.object({ value: z.string().nullish() }).nullish();
const Dataset = z.object({
  id: z.string(),
  mountpoint: z.string().nullish(),
  acltype: Property,
  aclmode: Property,
  casesensitivity: Property.catch(null),
  origin: Property.catch(null),
});
const User = z.object({ pw_uid: z.int(), pw_gid: z.int() });
const Group = z.object({ gr_gid: z.int() });

type StoragePart = Pick<
  Host,
  | "stat"
  | "acl"
  | "datasetOf"
  | "makeDirectory"
  | "createDataset"
  | "dataset"
  | "setDatasetAclMode"
  | "holdsDatasets"
  | "renamesDatasets"
  | "renameDataset"
  | "cloneSnapshot"
  | "promoteDataset"
  | "snapshotNames"
  | "snapshots"
  | "createSnapshot"
  | "deleteSnapshot"
  | "user"
  | "group"
>;

/** The part of the port that deals with paths, datasets and accounts (docs/host-api.md, sections 7 and 8). */
export function createStorage(session: Session): StoragePart {
  return {
    ...createSnapshots(session),
    ...createClones(session),
    async stat(path) {
      const found = await catchNotFound(session.call("filesystem.stat", [path], Stat)).catch(readUnresolved);
      if (found === null || !("realpath" in found)) return found;
      const { realpath, type, uid, gid, dev, inode } = found;
      const id = dev == null || inode == null ? {} : { id: `${dev}:${inode}` };
      return { type, uid, gid, ...id, ...(type === "SYMLINK" && { target: realpath }) };
    },
    async datasetOf(path) {
      const { source, dest, avail_bytes } = await session.call("filesystem.statfs", [path], Statfs);
      return { dataset: source, mountpoint: dest, availableBytes: avail_bytes };
    },
    acl: (path) => catchNotFound(session.call("filesystem.getacl", [path, true, false], HostAcl)),
    async makeDirectory(path, { isPrivate } = { isPrivate: false }) {
      // Where the parent's ACL is inherited the mode cannot be changed, and need not be.
      const options = { mode: isPrivate ? "770" : "755", raise_chmod_error: false };
      await session.call("filesystem.mkdir", [{ path, options }], z.unknown());
    },
    async createDataset(name) {
      const create = (more: JsonObject) =>
        session.call("pool.dataset.create", [{ name, type: "FILESYSTEM", ...more }], z.unknown());
      try {
        await create({ share_type: "APPS" });
        return { isForApps: true };
      } catch (error) {
        if (!isPresetRefused(error)) throw error;
        await create(AS_FOR_APPS);
        return { isForApps: false };
      }
    },
    async dataset(name) {
      const params = [[["id", "=", name]], { extra: { retrieve_children: false } }];
      const [found] = await session.call("pool.dataset.query", params, z.array(Dataset));
      if (found === undefined) return null;
      const origin = found.origin?.value ?? "";
      const casesensitivity = found.casesensitivity?.value;
      return {
        name: found.id,
        mountpoint: found.mountpoint ?? null,
        acltype: found.acltype?.value ?? "OFF",
        aclmode: found.aclmode?.value ?? "DISCARD",
        ...(casesensitivity != null && { casesensitivity }),
        ...(origin.includes("@") && { origin }),
      };
    },
    async setDatasetAclMode(name, mode) {
      await session.call("pool.dataset.update", [name, { aclmode: mode }], z.unknown());
    },
    async user(name) {
      const found = await catchNotFound(session.call("user.get_user_obj", [{ username: name }], User));
      return found === null ? null : { uid: found.pw_uid, gid: found.pw_gid };
    },
    async group(name) {
      const found = await catchNotFound(session.call("group.get_group_obj", [{ groupname: name }], Group));
      return found === null ? null : { gid: found.gr_gid };
    },
  };
}

/** The properties of the preset for apps, without its ACL. */
const AS_FOR_APPS = {
  share_type: "GENERIC",
  acltype: "NFSV4",
  aclmode: "PASSTHROUGH",
  casesensitivity: "SENSITIVE",
  atime: "OFF",
};

/** Refused before anything is made: an account of the preset's ACL may not pass a parent (docs/host-api.md, section 8). */
function isPresetRefused(error: unknown): boolean {
  return error instanceof HostError && error.fault.fields.some(({ field }) => field.endsWith("share_type"));
}

/** What the host can't resolve: a link that leads to itself, or a path below a file, where nothing is. */
function readUnresolved(error: unknown): HostPath | null {
  if (!(error instanceof HostError)) throw error;
  if (error.code === "HOST_PATH_LINKED") return { type: "SYMLINK", uid: 0, gid: 0 };
  if (/\[Errno 20\]/.test(error.fault.reason)) return null;
  throw error;
}

/** null when the host says there is none; any other fault stays one. */
async function catchNotFound<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof HostError && error.code === "HOST_NOT_FOUND") return null;
    throw error;
  }
}
