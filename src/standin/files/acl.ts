import { z } from "zod";
import type { Json, JsonObject } from "../../core/json/json.ts";

const Bits = z.record(z.string(), z.boolean());
const BasicFlags = z.strictObject({ BASIC: z.enum(["INHERIT", "NOINHERIT"]) });
const NFS4_BASIC_PERMS = ["FULL_CONTROL", "MODIFY", "READ", "TRAVERSE"] as const;

/** One NFSv4 entry (docs/host-api.md, section 7). */
const Nfs4Entry = z.strictObject({
  tag: z.enum(["owner@", "group@", "everyone@", "USER", "GROUP"]),
  id: z.int().nullable().default(null),
  type: z.enum(["ALLOW", "DENY"]),
  perms: z.union([z.strictObject({ BASIC: z.enum(NFS4_BASIC_PERMS) }), Bits]),
  flags: z.union([BasicFlags, Bits]),
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

/** What a new directory takes over from the ACL of the one it is made in; null: nothing is inherited. */
export function inheritAcl(parent: readonly JsonObject[] | null): readonly JsonObject[] | null {
  const inherited = (parent ?? []).flatMap((json): AclEntry[] => {
    const entry = AclEntry.parse(json);
    if ("default" in entry) return entry.default ? [{ ...entry, default: false }, entry] : [];
    const {
      DIRECTORY_INHERIT: toFolders = false,
      FILE_INHERIT: toFiles = false,
      NO_PROPAGATE_INHERIT: once = false,
    } = readFlags(entry);
    if (!toFolders && (!toFiles || once)) return [];
    const flags = {
      FILE_INHERIT: toFiles && !once,
      DIRECTORY_INHERIT: toFolders && !once,
      NO_PROPAGATE_INHERIT: false,
      INHERIT_ONLY: !toFolders,
      INHERITED: true,
    };
    return [{ ...entry, flags }];
  });
  return inherited.length === 0 ? null : inherited.map(toEntryJson);
}

/** The flags of an NFSv4 entry by name; those of the basic form are spelt out. */
export function readFlags({ flags }: z.infer<typeof Nfs4Entry>): Readonly<Record<string, boolean>> {
  const basic = BasicFlags.safeParse(flags);
  if (!basic.success) return Bits.parse(flags);
  return basic.data.BASIC === "INHERIT" ? { FILE_INHERIT: true, DIRECTORY_INHERIT: true } : {};
}
