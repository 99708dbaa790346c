/** What runs may leave behind in the parent: processes, zombies, descriptors, memory. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { isChildUser } from "../../../sandbox/process/users.ts";

export interface Traces {
  /** Names of this process's children, zombies included, esbuild's service left out. */
  readonly children: readonly string[];
  /** Processes of the users that children run as. */
  readonly strays: number;
  /** Where this process's open descriptors lead, by kind. */
  readonly descriptors: readonly string[];
}

export function traces(): Traces {
  const children: string[] = [];
  let strays = 0;
  for (const pid of readdirSync("/proc")) {
    if (!/^\d+$/.test(pid)) continue;
    const status = statusOf(pid);
    if (field(status, "PPid") === String(process.pid) && field(status, "Name") !== "esbuild") {
      children.push(`${field(status, "Name")} ${field(status, "State")}`);
    }
    const uid = Number(field(status, "Uid")?.split("\t")[0]);
    if (isChildUser(uid)) strays++;
  }
  return { children, strays, descriptors: descriptors() };
}

/** Tells whether a process runs; a zombie does not. */
export function isAlive(pid: string): boolean {
  const state = field(statusOf(pid), "State");
  return state !== undefined && !state.startsWith("Z");
}

function descriptors(): string[] {
  return readdirSync("/proc/self/fd")
    .map((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`).replace(/\d+/g, "N");
      } catch {
        return "";
      }
    })
    .filter((kind) => kind !== "")
    .sort();
}

/** Bytes of live objects and buffers after a collection. */
export async function liveBytes(): Promise<number> {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  // buffers are freed a while after the objects that held them
  for (let round = 0; round < 3; round++) {
    collect();
    await setImmediate();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function statusOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/status`, "latin1");
  } catch {
    return "";
  }
}

function field(status: string, name: string): string | undefined {
  return new RegExp(`^${name}:\\t(.*)$`, "m").exec(status)?.[1];
}
