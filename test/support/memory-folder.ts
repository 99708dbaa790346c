/** Where tests keep files that have to outlive a process, not a power cut: a commit there waits for no disk. */
import { readFileSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";

const SHARED_MEMORY = "/dev/shm";
const LEAST_FREE_BYTES = 4 * 1024 ** 3;

/** A folder in memory where there is one with room in which programs may lie; else the system's for temporary files. */
export function findMemoryFolder(): string {
  try {
    const mount = readFileSync("/proc/mounts", "utf8")
      .split("\n")
      .find((line) => line.split(" ")[1] === SHARED_MEMORY);
    const [, , type, flags = ""] = mount?.split(" ") ?? [];
    const { bavail, bsize } = statfsSync(SHARED_MEMORY);
    const isFit = type === "tmpfs" && !/\b(?:noexec|ro)\b/.test(flags) && bavail * bsize >= LEAST_FREE_BYTES;
    return isFit ? SHARED_MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
}
