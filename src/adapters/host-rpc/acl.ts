/** The answer of `filesystem.getacl` (docs/host-api.md, section 7). */
import { z } from "zod";
import type { HostAcl as PortAcl } from "../../engine/ports/host-acl.ts";

/** One basic set by name, or bits. */
const Bits = z.record(z.string(), z.union([z.boolean(), z.string()]));

const Nfs4Entry = z.object({
  tag: z.enum(["owner@", "group@", "everyone@", "USER", "GROUP"]),
  id: z.int().nullable(),
  type: z.enum(["ALLOW", "DENY"]),
  perms: Bits,
  flags: Bits,
});
const PosixEntry = z.object({
  tag: z.enum(["USER_OBJ", "GROUP_OBJ", "OTHER", "MASK", "USER", "GROUP"]),
  id: z.int().nullable(),
  perms: z.object({ READ: z.boolean(), WRITE: z.boolean(), EXECUTE: z.boolean() }),
  default: z.boolean(),
});
const owner = { uid: z.int(), gid: z.int() };

/** Reads the entries without the names of accounts, so that they can be sent back. */
export const HostAcl: z.ZodType<PortAcl> = z
  .discriminatedUnion("acltype", [
    z.object({ ...owner, acltype: z.literal("NFS4"), acl: z.array(Nfs4Entry) }),
    z.object({ ...owner, acltype: z.literal("POSIX1E"), acl: z.array(PosixEntry) }),
    z.object({ ...owner, acltype: z.literal("DISABLED"), acl: z.null() }),
  ])
  .transform(({ uid, gid, ...found }): PortAcl => {
    if (found.acltype === "NFS4") return { uid, gid, acltype: "NFS4", entries: found.acl };
    if (found.acltype === "POSIX1E") return { uid, gid, acltype: "POSIX1E", entries: found.acl };
    return { uid, gid, acltype: "DISABLED", entries: [] };
  });
