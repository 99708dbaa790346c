/** Access rules of a path, in the host's own terms. */

/** An NFSv4 entry; `id` is null for `owner@`, `group@` and `everyone@`. Rights and flags are a basic set or single bits. */
export interface Nfs4Entry {
  readonly tag: "owner@" | "group@" | "everyone@" | "USER" | "GROUP";
  readonly id: number | null;
  readonly type: "ALLOW" | "DENY";
  readonly perms: Readonly<Record<string, boolean | string>>;
  readonly flags: Readonly<Record<string, boolean | string>>;
}

/** A POSIX entry; a `default` one is what new children get. */
export interface PosixEntry {
  readonly tag: "USER_OBJ" | "GROUP_OBJ" | "OTHER" | "MASK" | "USER" | "GROUP";
  readonly id: number | null;
  readonly perms: { readonly READ: boolean; readonly WRITE: boolean; readonly EXECUTE: boolean };
  readonly default: boolean;
}

/** The entries of one path. */
export type AclEntries =
  | { readonly acltype: "NFS4"; readonly entries: readonly Nfs4Entry[] }
  | { readonly acltype: "POSIX1E"; readonly entries: readonly PosixEntry[] };

/** Owner and entries of a path; `DISABLED`: its dataset has no ACLs. */
export type HostAcl = { readonly uid: number; readonly gid: number } & (
  | AclEntries
  | { readonly acltype: "DISABLED"; readonly entries: readonly [] }
);
