/** An ACL that gives a new owner its rights gives nobody else more. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { completeAcl, grantsOwner } from "../../src/engine/effects/files/access.ts";
import type { PosixEntry } from "../../src/engine/ports/host-acl.ts";

const perms = fc.record({ READ: fc.boolean(), WRITE: fc.boolean(), EXECUTE: fc.boolean() });

/** The entries of one half, as the kernel demands them: with named ones there is a mask. */
const half = (isDefault: boolean) =>
  fc
    .record({
      base: fc.tuple(perms, perms, perms),
      mask: perms,
      named: fc.uniqueArray(
        fc.record({
          tag: fc.constantFrom("USER" as const, "GROUP" as const),
          id: fc.integer({ min: 1, max: 4 }),
          perms,
        }),
        { selector: ({ tag, id }) => `${tag} ${id}`, maxLength: 4 },
      ),
    })
    .map(({ base: [user, group, other], mask, named }): PosixEntry[] =>
      [
        { tag: "USER_OBJ" as const, id: null, perms: user },
        { tag: "GROUP_OBJ" as const, id: null, perms: group },
        ...named,
        ...(named.length > 0 ? [{ tag: "MASK" as const, id: null, perms: mask }] : []),
        { tag: "OTHER" as const, id: null, perms: other },
      ].map((entry) => ({ ...entry, default: isDefault })),
    );

/** What the kernel lets everybody but owner and owning group do. */
function listRights(entries: readonly PosixEntry[], isDefault: boolean): Record<string, string> {
  const own = entries.filter((entry) => entry.default === isDefault);
  const mask = own.find(({ tag }) => tag === "MASK")?.perms;
  const rights = own
    .filter(({ tag }) => tag === "USER" || tag === "GROUP" || tag === "OTHER")
    .map(({ tag, id, perms: own }) => {
      const of = (name: "READ" | "WRITE" | "EXECUTE") => own[name] && (tag === "OTHER" || mask?.[name] !== false);
      return [`${tag} ${id}`, `${of("READ")} ${of("WRITE")} ${of("EXECUTE")}`] as const;
    });
  return Object.fromEntries(rights);
}

test("owner and group get all rights, everybody else keeps exactly those they had", () => {
  const acl = fc.tuple(half(false), fc.option(half(true), { nil: [] })).map((halves) => halves.flat());
  fc.assert(
    fc.property(acl, (entries) => {
      const { acltype, entries: completed } = completeAcl({ acltype: "POSIX1E", entries });
      if (acltype !== "POSIX1E") throw new Error("another type of ACL");
      expect(grantsOwner({ acltype, entries: completed })).toBe(true);
      expect(listRights(completed, false)).toEqual(listRights(entries, false));
      const inherited = entries.some((entry) => entry.default);
      if (inherited) expect(listRights(completed, true)).toEqual(listRights(entries, true));
    }),
  );
});
