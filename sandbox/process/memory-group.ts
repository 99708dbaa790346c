/**
 * A control group around one process and what it starts: the kernel counts all their memory, shared and files in memory
 * included, and kills what takes more. Where the engine may not make one, there is none.
 *
 * Version 1: below the engine's own group. Version 2: below the group above the engine's own, where that one hands the
 * memory controller down (`Delegate=memory` with `DelegateSubgroup` in a systemd unit): a group that holds processes
 * itself can't have others below it.
 */
import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { readCode } from "../files/read-code.ts";
import { isGone, readOwnName } from "./owner.ts";

/** A group of one process. */
export interface MemoryGroup {
  /** Writing a process id into it takes that process in. */
  readonly entrance: string;
  /** Removes the group; to be called when its processes have ended. */
  remove(): Promise<void>;
}

const BYTES_PER_MB = 1024 * 1024;
/** How the names of groups begin. */
export const GROUP_PREFIX = "slipway-";
/** Most tries to remove a group whose last process is on its way out, and ms between them. */
const TRIES = 50;
const PAUSE_MS = 20;

/** Where groups are made, and how their limit is written. */
interface Place {
  readonly folder: string;
  readonly version: 1 | 2;
}

let place: Place | null | undefined;
let made = 0;

/** A group that may hold so many MB; null where none can be made. */
export function makeMemoryGroup(limitMb: number): MemoryGroup | null {
  place ??= findPlace();
  if (place === null) return null;
  const folder = join(place.folder, `${GROUP_PREFIX}${readOwnName()}-${made++}`);
  try {
    mkdirSync(folder);
  } catch {
    return null;
  }
  const group = { entrance: join(folder, "cgroup.procs"), remove: () => removeGroup(folder) };
  try {
    setLimit(folder, place.version, limitMb * BYTES_PER_MB);
    return group;
  } catch {
    void group.remove();
    return null;
  }
}

function setLimit(folder: string, version: 1 | 2, bytes: number): void {
  const write = (file: string, value: number): void => writeFileSync(join(folder, file), String(value), { flag: "r+" });
  const tryWrite = (file: string, value: number): void => {
    try {
      write(file, value);
    } catch {
      // not counted by this kernel
    }
  };
  if (version === 1) {
    write("memory.limit_in_bytes", bytes);
    tryWrite("memory.memsw.limit_in_bytes", bytes);
  } else {
    write("memory.max", bytes);
    tryWrite("memory.swap.max", 0);
    tryWrite("memory.oom.group", 1);
  }
}

async function removeGroup(folder: string): Promise<void> {
  for (let tries = 0; tries < TRIES; tries++) {
    try {
      await rmdir(folder);
      return;
    } catch (error) {
      if (readCode(error) !== "EBUSY") return;
      await pause(PAUSE_MS);
    }
  }
}

/** Found once; groups of engines that were killed are removed then. */
function findPlace(): Place | null {
  try {
    const groups = readFileSync("/proc/self/cgroup", "latin1");
    const mounts = readFileSync("/proc/self/mountinfo", "latin1");
    const found = findPlaceVersion1(groups, mounts) ?? findPlaceVersion2(groups, mounts);
    if (found !== null) sweep(found.folder);
    return found;
  } catch {
    return null;
  }
}

function findPlaceVersion1(groups: string, mounts: string): Place | null {
  const own = /^\d+:(?:[^:\n]*,)?memory(?:,[^:\n]*)?:(\/.*)$/m.exec(groups)?.[1];
  const folder = own === undefined ? null : findFolder(own, mounts, /^cgroup \S+ \S*\bmemory\b/);
  return folder === null ? null : { folder, version: 1 };
}

function findPlaceVersion2(groups: string, mounts: string): Place | null {
  const own = /^0::(\/.+)$/m.exec(groups)?.[1];
  // directly below the root or in a slice, where others' groups are, none is to be made
  if (own === undefined || dirname(own) === "/" || dirname(own).endsWith(".slice")) return null;
  const folder = findFolder(dirname(own), mounts, /^cgroup2 /);
  if (folder === null) return null;
  const isHandedDown = readFileSync(join(folder, "cgroup.subtree_control"), "latin1").split(/\s/).includes("memory");
  if (!isHandedDown) writeFileSync(join(folder, "cgroup.subtree_control"), "+memory", { flag: "r+" });
  return { folder, version: 2 };
}

/** Folder of a group: a mount shows the hierarchy from its own root on. */
function findFolder(group: string, mounts: string, filesystem: RegExp): string | null {
  for (const line of mounts.split("\n")) {
    const [before = "", after = ""] = line.split(" - ");
    const [, , , root = "", point = ""] = before.split(" ");
    if (!filesystem.test(after)) continue;
    if (root === "/") return join(point, group);
    if (group === root || group.startsWith(`${root}/`)) return join(point, group.slice(root.length));
  }
  return null;
}

function sweep(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(GROUP_PREFIX) || !isGone(name.slice(GROUP_PREFIX.length))) continue;
    try {
      rmdirSync(join(folder, name));
    } catch {
      // what ran in it is not gone yet
    }
  }
}
