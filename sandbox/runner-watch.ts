/** What a child process uses, read from /proc: figures a compromised child can't forge. */
import { readFileSync } from "node:fs";

/** Ms per clock tick: USER_HZ is 100 on every Linux. */
const TICK_MS = 10;
const KB_PER_MB = 1024;

/** What a process has used. */
export interface ProcessUse {
  /** User and system time of all its threads, ms. */
  readonly cpuMs: number;
  /** Highest resident size so far, MB. */
  readonly peakMb: number;
}

/** null when the process is gone (or a zombie). */
export function processUse(pid: number): ProcessUse | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // the command's name stands in parentheses and may hold anything
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const peak = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1];
    if (peak === undefined) return null;
    return {
      cpuMs: (Number(fields[11]) + Number(fields[12])) * TICK_MS,
      peakMb: Number(peak) / KB_PER_MB,
    };
  } catch {
    return null;
  }
}
