import { existsSync } from "node:fs";
import { EngineError, isEngineError } from "../../core/codes/problems.ts";
import { readMessage } from "../../core/json/read-message.ts";
import { writeNamed } from "../../files/write-below.ts";

/** Throws `CLI_FILE_UNWRITABLE` for a file that is there, unless it is to be replaced. */
export function refuseExistingFile(file: string, replace: boolean): void {
  if (!replace && existsSync(file)) throw createUnwritableError(file, "it exists; --force replaces it");
}

/**
 * Writes a file for its owner alone (mode 0600); what it replaces stays until it is whole and on the disk. Throws
 * `CLI_FILE_UNWRITABLE`, also as `refuseExistingFile` does.
 */
export function writePrivateFile(file: string, text: string, replace: boolean): void {
  try {
    refuseExistingFile(file, replace);
    writeNamed(file, { text, replaces: replace ? "file" : "nothing", mode: 0o600 });
  } catch (error) {
    throw isEngineError(error) ? error : createUnwritableError(file, error);
  }
}

function createUnwritableError(file: string, why: unknown): EngineError {
  return new EngineError("CLI_FILE_UNWRITABLE", `can't write "${file}": ${readMessage(why)}`, { file }, why);
}
