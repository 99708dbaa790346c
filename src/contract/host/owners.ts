/** The part about accounts, and folders that belong to them. */
import type { AclEntries } from "../../engine/ports/host-acl.ts";
import type { TestHooks } from "../test-hooks.ts";
import { declarePart, type HostWith } from "./under-test.ts";

/** Accounts the host has. */
export interface KnownAccounts {
  readonly user: { readonly name: string; readonly uid: number; readonly gid: number };
  readonly group: string;
  /** Kind of ACL of a folder, and whether the host refuses the other one. */
  readonly acl: { readonly acltype: "NFS4" | "POSIX1E"; readonly refusesOther: boolean };
}

/** Declares the tests of a host with the group `owners`. */
export function describeHostOwners(
  hooks: TestHooks,
  name: string,
  open: () => Promise<HostWith<"owners"> & { readonly accounts: KnownAccounts }>,
): void {
  const { expect, test } = hooks;
  declarePart(hooks, `owners: ${name}`, open, ({ it, toPath, awaitEnd }) => {
    test("accounts are found, and null stands for none", async () => {
      const { host, accounts } = it();
      const { name: user, uid, gid } = accounts.user;
      expect(await host.user(user)).toEqual({ uid, gid });
      expect(await host.user("no-such-user")).toBeNull();
      expect(await host.group(accounts.group)).toMatchObject({ gid: expect.any(Number) });
      expect(await host.group("no-such-group")).toBeNull();
    });

    test("setOwner gives a folder its owner, by the kind of ACL it has", async () => {
      const { host, accounts } = it();
      const { acltype, refusesOther } = accounts.acl;
      const { uid, gid } = accounts.user;
      await host.makeDirectory(toPath("owned"));
      const call = { method: "setOwner", path: toPath("owned"), uid, gid } as const;
      const before = await host.acl(toPath("owned"));
      if (before === null || before.acltype === "DISABLED") throw new Error("the folder has no ACL");
      expect(before.acltype).toBe(acltype);
      const other: AclEntries =
        acltype === "NFS4" ? { acltype: "POSIX1E", entries: [] } : { acltype: "NFS4", entries: [] };
      if (refusesOther)
        expect(await awaitEnd({ ...call, acl: other })).toMatchObject({
          state: "FAILED",
          error: { code: "HOST_ACL_UNSUPPORTED" },
        });
      const { uid: _uid, gid: _gid, ...acl } = before;
      expect(await awaitEnd({ ...call, acl })).toMatchObject({ state: "SUCCESS" });
      expect(await host.stat(toPath("owned"))).toMatchObject({ uid, gid });
      expect(await host.acl(toPath("owned"))).toEqual({ ...before, uid, gid });
      expect(await host.acl(toPath("nothing"))).toBeNull();
    });
  });
}
