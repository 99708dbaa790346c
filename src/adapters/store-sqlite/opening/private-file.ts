import { closeSync, constants, fchmodSync, openSync } from "node:fs";

const PRIVATE = constants.O_WRONLY | constants.O_CREAT | constants.O_NOFOLLOW;

/** Makes sure the file exists and only its owner may read it, before anything is written to it. No link is followed. */
export function createPrivateFile(path: string): void {
  const file = openSync(path, PRIVATE, 0o600);
  try {
    fchmodSync(file, 0o600);
  } finally {
    closeSync(file);
  }
}
