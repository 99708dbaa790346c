/** Whether accounts may pass directories, as the host checks it before it sets an ACL (docs/host-api.md, section 7). */
import { posix } from "node:path";
import type { JsonObject } from "../../core/json/json.ts";
import { ACCOUNTS, findGroupName, findUserName, GROUPS } from "../accounts.ts";
import type { HostState, Ownership } from "../host-state.ts";
import { AclEntry, readFlags } from "./acl.ts";
import { readOwnership } from "./paths.ts";

/** A user with its groups, or a group alone. */
interface Account {
  readonly kind: "user" | "group";
  readonly id: number;
}

/**
 * Finds the first account of an ACL-to-be that lacks execute on a parent of the path; null: all pass. `owner@` and
 * `group@` stand for the new owner. Root passes everywhere.
 */
export function findBlocked(
  state: HostState,
  path: string,
  acl: readonly AclEntry[],
  owner: { readonly uid: number; readonly gid: number },
): string | null {
  const accounts = acl.flatMap((entry) => toAccounts(entry, owner)).filter(({ id }) => id > 0);
  for (let parent = posix.dirname(path); parent.split("/").length > 2; parent = posix.dirname(parent)) {
    const blocked = accounts.find((account) => !mayPass(account, readOwnership(state, parent)));
    if (blocked !== undefined) return describeBlocked(blocked, parent, path);
  }
  return null;
}

function describeBlocked({ kind, id }: Account, parent: string, path: string): string {
  const name = (kind === "user" ? findUserName(id) : findGroupName(id)) ?? id;
  const cure = `This may be fixed by granting the aforementioned ${kind} execute permissions on the path: ${parent}.`;
  return `Filesystem permissions on path ${parent} prevent access for ${kind} ${name} to the path ${path}. ${cure}`;
}

function toAccounts(entry: AclEntry, { uid, gid }: { readonly uid: number; readonly gid: number }): Account[] {
  if ("default" in entry ? entry.default : entry.type === "DENY") return [];
  switch (entry.tag) {
    case "owner@":
    case "USER_OBJ":
      return [{ kind: "user", id: uid }];
    case "group@":
    case "GROUP_OBJ":
      return [{ kind: "group", id: gid }];
    case "USER":
      return [{ kind: "user", id: entry.id ?? 0 }];
    case "GROUP":
      return [{ kind: "group", id: entry.id ?? 0 }];
    default:
      return [];
  }
}

function mayPass(account: Account, parent: Ownership): boolean {
  const who = {
    isOwner: account.kind === "user" && account.id === parent.uid,
    groups: account.kind === "group" ? [account.id] : listGroups(account.id),
    ...account,
  };
  const inGroup = who.groups.includes(parent.gid);
  if (parent.acl === null) return ((parent.mode >> (who.isOwner ? 6 : inGroup ? 3 : 0)) & 1) !== 0;
  let inGroups = false;
  for (const entry of sortEntries(parent.acl)) {
    if ("default" in entry ? entry.default : readFlags(entry)["INHERIT_ONLY"] === true) continue;
    const matches =
      entry.tag === "USER"
        ? who.kind === "user" && entry.id === who.id
        : entry.tag === "GROUP"
          ? entry.id !== null && who.groups.includes(entry.id)
          : entry.tag === "owner@" || entry.tag === "USER_OBJ"
            ? who.isOwner
            : entry.tag === "group@" || entry.tag === "GROUP_OBJ"
              ? inGroup
              : entry.tag !== "MASK";
    if (!matches) continue;
    // A POSIX entry of the user itself decides, and so do those of its groups before that of the others.
    const isFinal = "default" in entry && entry.tag !== "GROUP_OBJ" && entry.tag !== "GROUP";
    if (executes(entry)) return "default" in entry ? !(inGroups && entry.tag === "OTHER") : entry.type === "ALLOW";
    if (isFinal) return false;
    inGroups ||= "default" in entry;
  }
  return false;
}

/** POSIX entries are looked at in this order, NFSv4 ones in their own. */
const POSIX_ORDER = ["USER_OBJ", "USER", "GROUP_OBJ", "GROUP", "OTHER"];

function sortEntries(acl: readonly JsonObject[]): readonly AclEntry[] {
  return acl
    .map((entry) => AclEntry.parse(entry))
    .toSorted((a, b) => POSIX_ORDER.indexOf(a.tag) - POSIX_ORDER.indexOf(b.tag));
}

function executes({ perms }: AclEntry): boolean {
  return "BASIC" in perms || perms["EXECUTE"] === true;
}

function listGroups(uid: number): readonly number[] {
  const user = ACCOUNTS.find((one) => one.uid === uid);
  return GROUPS.filter(({ gid, members }) => gid === user?.gid || members.includes(user?.name ?? "")).map(
    ({ gid }) => gid,
  );
}
