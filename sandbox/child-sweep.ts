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

/** Users that have a live process now. */
export function liveUsers(): ReadonlySet<number> {
  const users = new Set<number>();
  for (const { uid } of liveProcesses()) users.add(uid);
  return users;
}

/** Live processes of a user; zombies are already dead and wait for their parent. */
function processesOf(user: number): number[] {
  return liveProcesses()
    .filter(({ uid }) => uid === user)
    .map(({ pid }) => pid);
}

function liveProcesses(): { readonly pid: number; readonly uid: number }[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    const status = readStatus(name);
    const uid = /^Uid:\t(\d+)/m.exec(status ?? "")?.[1];
    return status === null || uid === undefined || /^State:\tZ/m.test(status)
      ? []
      : [{ pid: Number(name), uid: Number(uid) }];
  });
}

function readStatus(pid: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/status`, "utf8");
  } catch {
    return null;
  }
}
