import { randomBytes } from "node:crypto";
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { EngineError, isEngineError } from "../../core/codes/problems.ts";
import { readMessage } from "../../core/json/read-message.ts";

/** Throws `CLI_FILE_UNWRITABLE` for a file that is there, unless it is to be replaced. */
export function refuseExistingFile(file: string, replace: boolean): void {
  if (!replace && existsSync(file)) throw createUnwritableError(file, "it exists; --force replaces it");
}

/**
 * Writes a file for its owner alone (mode 0600); it has its name only once it is whole and on the disk. Throws
 * `CLI_FILE_UNWRITABLE`, also as `refuseExistingFile` does.
 */
export function writePrivateFile(file: string, text: string, replace: boolean): void {
  const partial = `${file}.${randomBytes(4).toString("hex")}.partial`;
  try {
    const handle = openSync(partial, "wx", 0o600);
    try {
      writeFileSync(handle, text);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    refuseExistingFile(file, replace);
    renameSync(partial, file);
  } catch (error) {
    rmSync(partial, { force: true });
    throw isEngineError(error) ? error : createUnwritableError(file, error);
  }
}

function createUnwritableError(file: string, why: unknown): EngineError {
  return new EngineError("CLI_FILE_UNWRITABLE", `can't write "${file}": ${readMessage(why)}`, { file }, why);
}
