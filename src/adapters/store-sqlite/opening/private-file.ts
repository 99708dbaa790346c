import { chmodSync, closeSync, openSync } from "node:fs";

/** Makes sure the file exists and only its owner may read it, before anything is written to it. */
export function createPrivateFile(path: string): void {
  closeSync(openSync(path, "a", 0o600));
  chmodSync(path, 0o600);
}
