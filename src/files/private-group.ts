import { readFileSync } from "node:fs";

/**
 * True for a group that has one user alone, as the systems that give every user a group of the same name make it: a umask
 * of 002 is usual there. Users whom another service than the machine's own files knows are not seen: false then.
 */
export function isPrivateGroup(gid: number, uid: number): boolean {
  const users = readTable("/etc/passwd");
  const [name] = users.find(([, , user]) => Number(user) === uid) ?? [];
  const group = readTable("/etc/group").find(([, , number]) => Number(number) === gid);
  if (name === undefined || group?.[0] !== name) return false;
  const members = (group[3] ?? "").split(",").filter((member) => member !== "" && member !== name);
  return members.length === 0 && users.every(([, , user, main]) => Number(main) !== gid || Number(user) === uid);
}

function readTable(file: string): readonly (readonly string[])[] {
  try {
    return readFileSync(file, "utf8")
      .split("\n")
      .map((line) => line.split(":"));
  } catch {
    return [];
  }
}
