/** Finds and kills what a compromised child may have left behind under its own user, outside its process group. */
import { closeSync, openSync, readdirSync, readSync } from "node:fs";
import { setImmediate } from "node:timers/promises";

/** More rounds than a forking process bounded by RLIMIT_NPROC can outlast. */
const ROUNDS = 20;
/** Most ms the engine's thread is held at a stretch while it looks for what is hardly ever there. */
const STRETCH_MS = 2;
/** More than /proc/PID/status holds up to its line `Uid`. */
const STATUS_BYTES = 1024;

/** Sends SIGKILL to every process of a user until none is left; a machine may have thousands to look through. */
export async function killUser(uid: number): Promise<void> {
  if (!(await hasProcess(uid))) return;
  // in one go, so that what forks has no time to
  for (let round = 0; round < ROUNDS; round++) {
    const found = listProcessIds().filter((pid) => readUser(pid) === uid);
    if (found.length === 0) return;
    for (const pid of found) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // ended between the listing and the signal
      }
    }
  }
}

/** Users that have a live process now. */
export function listLiveUsers(): ReadonlySet<number> {
  return new Set(listProcessIds().flatMap((pid) => readUser(pid) ?? []));
}

async function hasProcess(uid: number): Promise<boolean> {
  let since = performance.now();
  for (const pid of listProcessIds()) {
    if (readUser(pid) === uid) return true;
    if (performance.now() - since < STRETCH_MS) continue;
    await setImmediate();
    since = performance.now();
  }
  return false;
}

function listProcessIds(): number[] {
  return readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
}

const buffer = Buffer.alloc(STATUS_BYTES);

/** Real user of a live process; a zombie is already dead and waits for its parent. */
function readUser(pid: number): number | null {
  let file: number;
  try {
    file = openSync(`/proc/${pid}/status`, "r");
  } catch {
    return null;
  }
  try {
    const status = buffer.toString("latin1", 0, readSync(file, buffer));
    const uid = /^Uid:\t(\d+)/m.exec(status)?.[1];
    return uid === undefined || /^State:\tZ/m.test(status) ? null : Number(uid);
  } catch {
    return null;
  } finally {
    closeSync(file);
  }
}
