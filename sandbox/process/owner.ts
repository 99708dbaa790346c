/** Names that say which process made a thing, so that what a killed engine left behind is known as nobody's. */
import { readFileSync, readlinkSync } from "node:fs";

/** `NAMESPACE-PID-START`: a process id means something only within its namespace, until reused. */
const NAME = /^(\d+)-(\d+)-(\d+)(?:-|$)/;

/** The name of this process. */
export function readOwnName(): string {
  return `${readNamespace()}-${process.pid}-${readStart(process.pid) ?? "0"}`;
}

/** Tells whether the process a name begins with is gone. One of another namespace can't be judged from here. */
export function isGone(name: string): boolean {
  const [, space, pid, start] = NAME.exec(name) ?? [];
  return space === readNamespace() && pid !== undefined && readStart(Number(pid)) !== start;
}

/** When a process started, in clock ticks since boot; null when there is none of that id. */
function readStart(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // the 22nd field; the command's name before it stands in parentheses and may hold anything
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? null;
  } catch {
    return null;
  }
}

function readNamespace(): string {
  try {
    return /\d+/.exec(readlinkSync("/proc/self/ns/pid"))?.[0] ?? "0";
  } catch {
    return "0";
  }
}
