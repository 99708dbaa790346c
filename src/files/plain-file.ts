import { closeSync, constants, fstatSync, openSync } from "node:fs";
import { O_PATH } from "./write-below.ts";

/**
 * Changes the owner or mode of a file: `change` gets a path that stays with this file even if its name is replaced.
 * Returns false, and changes nothing, for a link, a folder, a device or a file with a second name. Throws the system's error.
 *
 * The file is not opened for reading or writing: when a process closes such a descriptor, the kernel frees every lock the
 * process has on the file.
 */
export function changePlainFile(path: string, change: (entry: string) => void): boolean {
  const file = openSync(path, O_PATH | constants.O_NOFOLLOW);
  try {
    const stats = fstatSync(file);
    if (!stats.isFile() || stats.nlink > 1) return false;
    change(`/proc/self/fd/${file}`);
    return true;
  } finally {
    closeSync(file);
  }
}
