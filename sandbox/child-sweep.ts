/** Kills what a compromised child may have left behind under its own user, outside its process group. */
import { readdirSync, readFileSync } from "node:fs";

/** More rounds than a forking process bounded by RLIMIT_NPROC can outlast. */
const ROUNDS = 20;

/** Sends SIGKILL to every process of a user, until a round finds none. */
export function killUser(uid: number): void {
  for (let round = 0; round < ROUNDS; round++) {
    const pids = processesOf(uid);
    if (pids.length === 0) return;
    for (const pid of pids) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // ended between the listing and the signal
      }
    }
  }
}

/** Live processes of a user; zombies are already dead and wait for their parent. */
function processesOf(uid: number): number[] {
  const pids: number[] = [];
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const status = readStatus(name);
    if (status === null || /^State:\tZ/m.test(status)) continue;
    if (/^Uid:\t(\d+)/m.exec(status)?.[1] === String(uid)) pids.push(Number(name));
  }
  return pids;
}

function readStatus(pid: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/status`, "utf8");
  } catch {
    return null;
  }
}
