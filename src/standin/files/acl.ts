import { z } from "zod";
import type { Json, JsonObject } from "../../core/json/json.ts";

const Bits = z.record(z.string(), z.boolean());
const NFS4_BASIC_PERMS = ["FULL_CONTROL", "MODIFY", "READ", "TRAVERSE"] as const;

/** One NFSv4 entry (docs/host-api.md, section 7). */
const Nfs4Entry = z.strictObject({
  tag: z.enum(["owner@", "group@", "everyone@", "USER", "GROUP"]),
  id: z.int().nullable().default(null),
  type: z.enum(["ALLOW", "DENY"]),
  perms: z.union([z.strictObject({ BASIC: z.enum(NFS4_BASIC_PERMS) }), Bits]),
  flags: z.union([z.strictObject({ BASIC: z.enum(["INHERIT", "NOINHERIT"]) }), Bits]),
  who: z.string().nullable().exactOptional(),
});

/** One POSIX.1e entry. */
const PosixEntry = z.strictObject({
  tag: z.enum(["USER_OBJ", "GROUP_OBJ", "OTHER", "MASK", "USER", "GROUP"]),
  id: z.int().nullable().default(null),
  perms: z.strictObject({ READ: z.boolean(), WRITE: z.boolean(), EXECUTE: z.boolean() }),
  default: z.boolean(),
  who: z.string().nullable().exactOptional(),
});

/** Either form; which one is right the path's dataset decides. */
export const AclEntry = z.union([Nfs4Entry, PosixEntry]);
/** An entry of an ACL. */
export type AclEntry = z.infer<typeof AclEntry>;

/** Whether an entry is of the POSIX form. */
export function isPosixEntry(entry: AclEntry): boolean {
  return PosixEntry.safeParse(entry).success;
}

/** An entry as JSON, for the state. */
export function toEntryJson(entry: AclEntry): JsonObject {
  return Object.fromEntries(Object.entries(entry).filter((pair): pair is [string, Json] => pair[1] !== undefined));
}

/** The ACL a path has when nobody set one, from its mode. */
export function buildTrivialAcl(acltype: "NFS4" | "POSIX1E", mode: number): readonly JsonObject[] {
  if (acltype === "POSIX1E") {
    const readBits = (shift: number): JsonObject => ({
      READ: Boolean((mode >> shift) & 4),
      WRITE: Boolean((mode >> shift) & 2),
      EXECUTE: Boolean((mode >> shift) & 1),
    });
    return [
      { tag: "USER_OBJ", id: -1, perms: readBits(6), default: false },
      { tag: "GROUP_OBJ", id: -1, perms: readBits(3), default: false },
      { tag: "OTHER", id: -1, perms: readBits(0), default: false },
    ];
  }
  return (["owner@", "group@", "everyone@"] as const).map((tag, index) => ({
    tag,
    id: -1,
    type: "ALLOW",
    perms: { BASIC: ((mode >> (6 - 3 * index)) & 2) !== 0 ? "FULL_CONTROL" : "TRAVERSE" },
    flags: { BASIC: "NOINHERIT" },
  }));
}

/**
 * Whether a named account of an ACL may pass a parent directory: as its owner or group, through its mode, or through an
 * entry of its own ACL.
 */
export function mayPass(
  entry: { readonly tag: string; readonly id: number | null },
  parent: {
    readonly uid: number;
    readonly gid: number;
    readonly mode: number;
    readonly acl: readonly JsonObject[] | null;
  },
): boolean {
  const named = entry.tag === "USER" || entry.tag === "GROUP";
  if (!named || entry.id === null || entry.id === 0 || (parent.mode & 1) !== 0) return true;
  if (entry.id === (entry.tag === "USER" ? parent.uid : parent.gid)) return true;
  const isSameTag = (tag: string): boolean => tag === "everyone@" || tag === entry.tag;
  return (parent.acl ?? []).some(
    ({ tag, id, type }) => type !== "DENY" && isSameTag(String(tag)) && (tag === "everyone@" || id === entry.id),
  );
}
