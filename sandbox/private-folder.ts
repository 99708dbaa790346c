/**
 * Temporary folders of this process: what is made in them belongs to it alone, and what a killed process left behind is
 * removed by the next one that makes a folder.
 *
 * Invariant: a folder is swept only when its name says whose it was, that process is gone, and only this process's user
 * could have put anything into it (the folder for temporary files belongs to everybody).
 */
import { readFileSync, readlinkSync } from "node:fs";
import { lstat, mkdtemp, readdir, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** What folders are made for. */
type FolderKind = "sandbox" | "sqlite";

/** `slipway-KIND-NAMESPACE-PID-START-XXXXXX`: a process id means something only within its namespace, until reused. */
const NAME = /^slipway-(?:sandbox|sqlite)-(\d+)-(\d+)-(\d+)-/;

/** Write permission of group and others. */
const FOREIGN_WRITE = 0o022;

/** Makes a folder (0700) for this process, its path without symlinks; what dead processes left is removed first. */
export async function makePrivateFolder(kind: FolderKind): Promise<string> {
  await sweepFolders();
  const start = startOf(process.pid) ?? "0";
  return realpath(await mkdtemp(join(tmpdir(), `slipway-${kind}-${namespace()}-${process.pid}-${start}-`)));
}

/** Removes a folder and what is in it, whatever writes to it meanwhile; a folder that can't be removed is left. */
export async function removeFolder(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
}

async function sweepFolders(): Promise<void> {
  const names = await readdir(tmpdir());
  await Promise.all(names.filter(isStale).map((name) => sweep(join(tmpdir(), name))));
}

async function sweep(path: string): Promise<void> {
  const stats = await lstat(path).catch(() => null);
  const own = stats?.isDirectory() && stats.uid === process.getuid?.() && (stats.mode & FOREIGN_WRITE) === 0;
  if (own) await removeFolder(path);
}

/** Its process is gone. One of another namespace can't be judged from here. */
function isStale(name: string): boolean {
  const [, space, pid, start] = NAME.exec(name) ?? [];
  return space === namespace() && pid !== undefined && startOf(Number(pid)) !== start;
}

/** When a process started, in clock ticks since boot; null when there is none of that id. */
function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // the 22nd field; the command's name before it stands in parentheses and may hold anything
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? null;
  } catch {
    return null;
  }
}

function namespace(): string {
  try {
    return /\d+/.exec(readlinkSync("/proc/self/ns/pid"))?.[0] ?? "0";
  } catch {
    return "0";
  }
}
