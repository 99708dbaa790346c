/** What the ACL of an app's directory has to grant, and how one that lacks it is completed. Pure. */
import type { AclEntries, HostAcl, Nfs4Entry, PosixEntry } from "../../ports/host-acl.ts";

/** Account of the host that its apps run as unless they say otherwise. */
const APPS_UID = 568;
const BUILTIN_ADMINISTRATORS = 544;
const BUILTIN_USERS = 545;

const OWNER = buildEntry("owner@", null, "FULL_CONTROL");
const GROUP = buildEntry("group@", null, "MODIFY");

/** What the host's preset for apps sets: for datasets that can't be made with it (docs/host-api.md, section 8). */
export const APPS_ACL: AclEntries = {
  acltype: "NFS4",
  entries: [
    OWNER,
    GROUP,
    buildEntry("GROUP", BUILTIN_USERS, "MODIFY"),
    buildEntry("GROUP", BUILTIN_ADMINISTRATORS, "FULL_CONTROL"),
    buildEntry("USER", APPS_UID, "MODIFY"),
  ],
};

/** Whether the host's account for apps may change the file or directory with this ACL. */
export function grantsApps({ acltype, entries }: HostAcl): boolean {
  return (
    acltype === "NFS4" && entries.some((entry) => entry.tag === "USER" && entry.id === APPS_UID && modifies(entry))
  );
}

/** Whether owner and group may change the file or directory with this ACL, and what is created in it later. */
export function grantsOwner(acl: AclEntries): boolean {
  return acl.acltype === "NFS4"
    ? grantsTag(acl.entries, "owner@") && grantsTag(acl.entries, "group@")
    : grantsPosix(acl.entries, "USER_OBJ") && grantsPosix(acl.entries, "GROUP_OBJ");
}

/** The ACL with the rights owner and group lack; all others keep the rights they have, and no entry is lost. */
export function completeAcl(acl: AclEntries): AclEntries {
  if (grantsOwner(acl)) return acl;
  return acl.acltype === "NFS4"
    ? { acltype: "NFS4", entries: completeNfs4(acl.entries) }
    : { acltype: "POSIX1E", entries: [...completePosix(acl.entries, false), ...completePosix(acl.entries, true)] };
}

function completeNfs4(entries: readonly Nfs4Entry[]): readonly Nfs4Entry[] {
  const lacking = [OWNER, GROUP].filter(({ tag }) => !grantsTag(entries, tag));
  return [...lacking, ...entries.filter(({ tag }) => !lacking.some((entry) => entry.tag === tag))];
}

function completePosix(entries: readonly PosixEntry[], isDefault: boolean): readonly PosixEntry[] {
  const kept = entries.filter((entry) => entry.default === isDefault);
  const mask = kept.find(({ tag }) => tag === "MASK")?.perms ?? ALL;
  // The mask is about to grant all: it must not widen what others have.
  const named = kept
    .filter(({ tag }) => tag === "USER" || tag === "GROUP")
    .map((entry) => ({ ...entry, perms: intersect(entry.perms, mask) }));
  const others = [...kept, ...entries].find(({ tag }) => tag === "OTHER")?.perms ?? NOTHING;
  const build = (tag: PosixEntry["tag"], perms: PosixEntry["perms"]) => ({ tag, id: null, perms, default: isDefault });
  return [
    build("USER_OBJ", ALL),
    build("GROUP_OBJ", ALL),
    ...named,
    ...(named.length > 0 ? [build("MASK", ALL)] : []),
    build("OTHER", others),
  ];
}

function intersect(one: PosixEntry["perms"], other: PosixEntry["perms"]): PosixEntry["perms"] {
  return {
    READ: one.READ && other.READ,
    WRITE: one.WRITE && other.WRITE,
    EXECUTE: one.EXECUTE && other.EXECUTE,
  };
}

const ALL = { READ: true, WRITE: true, EXECUTE: true };
const NOTHING = { READ: false, WRITE: false, EXECUTE: false };

function grantsTag(entries: readonly Nfs4Entry[], tag: Nfs4Entry["tag"]): boolean {
  const own = entries.filter((entry) => entry.tag === tag);
  if (own.some(({ type }) => type === "DENY")) return false;
  const granting = own.filter(modifies);
  return granting.some((entry) => !has(entry, "INHERIT_ONLY")) && granting.some(inherits);
}

function grantsPosix(entries: readonly PosixEntry[], tag: PosixEntry["tag"]): boolean {
  return [false, true].every((isDefault) => {
    const own = entries.filter((entry) => entry.default === isDefault);
    const counted = own.filter((entry) => entry.tag === tag || (entry.tag === "MASK" && tag === "GROUP_OBJ"));
    return (
      counted.some((entry) => entry.tag === tag) &&
      counted.every(({ perms: { READ, WRITE, EXECUTE } }) => READ && WRITE && EXECUTE)
    );
  });
}

function modifies({ type, perms }: Nfs4Entry): boolean {
  if (type === "DENY") return false;
  const { BASIC: basic } = perms;
  if (basic !== undefined) return basic === "FULL_CONTROL" || basic === "MODIFY";
  return ["READ_DATA", "WRITE_DATA", "APPEND_DATA", "EXECUTE"].every((name) => perms[name] === true);
}

function inherits(entry: Nfs4Entry): boolean {
  if (entry.flags["BASIC"] !== undefined) return entry.flags["BASIC"] === "INHERIT";
  return has(entry, "FILE_INHERIT") && has(entry, "DIRECTORY_INHERIT") && !has(entry, "NO_PROPAGATE_INHERIT");
}

function has({ flags }: Nfs4Entry, flag: string): boolean {
  return flags[flag] === true;
}

function buildEntry(tag: Nfs4Entry["tag"], id: number | null, basic: string): Nfs4Entry {
  return { tag, id, type: "ALLOW", perms: { BASIC: basic }, flags: { BASIC: "INHERIT" } };
}
