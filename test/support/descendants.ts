/** Processes and what they started, as the system knows them. */
import { existsSync, readdirSync, readFileSync } from "node:fs";

/** Every living process a process has started, and what those have. */
export function listDescendants(pid: number): readonly number[] {
  const parents = readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? [readParent(Number(name))].flat() : []));
  const find = (parent: number): readonly number[] =>
    parents.flatMap(([child, of]) => (of === parent ? [child, ...find(child)] : []));
  return find(pid);
}

/** Whether a process lives, other than as one nobody has taken leave of. */
export function isAlive(pid: number): boolean {
  return existsSync(`/proc/${pid}`) && !/^\d+ \(.*\) [ZX] /s.test(readStat(pid));
}

function readParent(pid: number): readonly (readonly [number, number])[] {
  const parent = /^\d+ \(.*\) \S (\d+) /s.exec(readStat(pid))?.[1];
  return parent === undefined ? [] : [[pid, Number(parent)]];
}

function readStat(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    return "";
  }
}
