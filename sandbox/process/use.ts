/** Use of processes, read from /proc: figures a compromised child can't forge. */
import { existsSync, readFileSync } from "node:fs";

/** Ms per clock tick: USER_HZ is 100 on every Linux. */
const TICK_MS = 10;
const KB_PER_MB = 1024;

/** CPU time and memory of a process and those it started. */
export interface ProcessUse {
  /** User and system time of all threads, and of what has ended and was waited for, ms. */
  readonly cpuMs: number;
  /** Highest resident size so far, MB. */
  readonly peakMb: number;
  /** Memory held now that no file stands behind, shared memory included, MB. */
  readonly heldMb: number;
}

/** The kernel tells of a process's children (CONFIG_PROC_CHILDREN). */
export function areChildrenTold(): boolean {
  return existsSync(`/proc/self/task/${process.pid}/children`);
}

/** Ids of the processes one has started, as its main thread; none when it is gone. */
export function listChildren(pid: number): number[] {
  try {
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, "latin1");
    return text.split(" ").flatMap((id) => (id === "" ? [] : Number(id)));
  } catch {
    return [];
  }
}

/** A process and everything it has started. */
export function listTree(pid: number): number[] {
  return [pid, ...listChildren(pid).flatMap(listTree)];
}

/** The sum over processes; null when all are gone (or zombies). */
export function measureUse(pids: readonly number[]): ProcessUse | null {
  const uses = pids.flatMap((pid) => readUse(pid) ?? []);
  if (uses.length === 0) return null;
  return {
    cpuMs: uses.reduce((sum, { cpuMs }) => sum + cpuMs, 0),
    peakMb: uses.reduce((sum, { peakMb }) => sum + peakMb, 0),
    heldMb: uses.reduce((sum, { heldMb }) => sum + heldMb, 0),
  };
}

function readUse(pid: number): ProcessUse | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // the command's name stands in parentheses and may hold anything
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const status = readFileSync(`/proc/${pid}/status`, "latin1");
    const peak = readSize(status, "VmHWM");
    if (peak === null) return null;
    const held = ["RssAnon", "RssShmem", "VmSwap"].reduce((sum, name) => sum + (readSize(status, name) ?? 0), 0);
    return {
      cpuMs: fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) * TICK_MS,
      peakMb: peak / KB_PER_MB,
      heldMb: held / KB_PER_MB,
    };
  } catch {
    return null;
  }
}

/** In KB. */
function readSize(status: string, name: string): number | null {
  const size = new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(status)?.[1];
  return size === undefined ? null : Number(size);
}
