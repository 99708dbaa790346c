import { lstatSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { writeNamed } from "./write-below.ts";

/** Writes a report to the file, device or pipe the caller named; throws as `writeBelow`. */
export function writeOutput(file: string, text: string): void {
  if (isStream(file)) writeFileSync(file, text, { flag: "a" });
  else writeNamed(file, { text, replaces: "file" });
}

/** True for `/dev/stdout`, a pipe of the shell (`>(...)`) and the like, which nothing can take the place of. */
function isStream(file: string): boolean {
  const path = resolve(file);
  if (/^\/(?:dev|proc\/self\/fd)\//.test(path)) return true;
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found !== undefined && (found.isFIFO() || found.isCharacterDevice());
}
