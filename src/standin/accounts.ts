/** A local account of the host. */
export interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
  readonly comment: string;
}

/** A local group of the host. */
interface AccountGroup {
  readonly name: string;
  readonly gid: number;
  readonly members: readonly string[];
}

/** Accounts the host ships that install scripts name. */
export const ACCOUNTS: readonly Account[] = [
  { name: "root", uid: 0, gid: 0, comment: "root" },
  { name: "www-data", uid: 33, gid: 33, comment: "www-data" },
  { name: "apps", uid: 568, gid: 568, comment: "Apps Unprivileged User" },
  { name: "netdata", uid: 999, gid: 997, comment: "netdata" },
  { name: "nobody", uid: 65_534, gid: 65_534, comment: "nobody" },
];

/** Groups the host ships. */
export const GROUPS: readonly AccountGroup[] = [
  { name: "root", gid: 0, members: [] },
  { name: "www-data", gid: 33, members: [] },
  { name: "apps", gid: 568, members: [] },
  { name: "netdata", gid: 997, members: [] },
  { name: "docker", gid: 998, members: [] },
  { name: "builtin_administrators", gid: 544, members: ["root"] },
  { name: "builtin_users", gid: 545, members: [] },
  { name: "nogroup", gid: 65_534, members: [] },
];

/** The name of a numeric account, or null. */
export function findUserName(uid: number): string | null {
  return ACCOUNTS.find((account) => account.uid === uid)?.name ?? null;
}

/** The name of a numeric group, or null. */
export function findGroupName(gid: number): string | null {
  return GROUPS.find((group) => group.gid === gid)?.name ?? null;
}
