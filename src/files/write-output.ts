import { closeSync, constants, fstatSync, lstatSync, openSync, type Stats, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { writeNamed } from "./write-below.ts";

/** The links under which a process finds its own open files. Other names in `/dev`, as `/dev/shm/x`, are ordinary files. */
const OWN_STREAM = /^\/(?:dev\/(?:stdout|stderr|fd\/\d+)|proc\/self\/fd\/\d+)$/;
const APPEND = constants.O_WRONLY | constants.O_APPEND;

/** Writes a report to the file, device or pipe the caller named; throws as `writeBelow`. */
export function writeOutput(file: string, text: string): void {
  const stream = openStream(resolve(file));
  if (stream === null) {
    writeNamed(file, { text, replaces: "file" });
    return;
  }
  try {
    writeFileSync(stream, text);
  } finally {
    closeSync(stream);
  }
}

/** Opens `/dev/stdout`, a pipe of the shell (`>(...)`) and the like, which nothing can replace; null for other files. */
function openStream(path: string): number | null {
  if (OWN_STREAM.test(path)) return openSync(path, APPEND);
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined || !isStream(found)) return null;
  // Another entry may have its name by now.
  const opened = openSync(path, APPEND | constants.O_NOFOLLOW);
  if (isStream(fstatSync(opened))) return opened;
  closeSync(opened);
  return null;
}

function isStream(stats: Stats): boolean {
  return stats.isFIFO() || stats.isCharacterDevice();
}
