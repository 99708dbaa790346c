import { existsSync, lstatSync, rmSync } from "node:fs";
import { join } from "node:path";
import { EngineError, isEngineError } from "../../core/codes/problems.ts";
import { readMessage } from "../../core/json/read-message.ts";
import { makeNamedFolder, writeBelow } from "../../files/write-below.ts";
import type { NewFile } from "./app-files.ts";

/**
 * Writes all files below a folder, which is made where it is missing, or none; gives the paths of those written. A shared
 * one that is there is left out. Throws `CLI_FILE_UNWRITABLE`, also for any other one that is there.
 */
export function writeNewFiles(folder: string, files: readonly NewFile[]): readonly string[] {
  const wanted = files.filter(({ path, shared }) => !(shared && existsSync(join(folder, path))));
  const taken = wanted.find(({ path }) => isTaken(join(folder, path)));
  if (taken !== undefined)
    throw createUnwritableError(join(folder, taken.path), "it exists, and nothing is overwritten");
  const written: string[] = [];
  attempt(folder, () => makeNamedFolder(folder));
  try {
    for (const { path, text } of wanted) {
      const file = join(folder, path);
      attempt(file, () => writeBelow({ root: folder, path, text, replaces: "nothing" }));
      written.push(path);
    }
  } catch (error) {
    for (const path of written) rmSync(join(folder, path), { force: true });
    throw error;
  }
  return written;
}

/** Also a link that leads nowhere. */
function isTaken(file: string): boolean {
  return attempt(file, () => lstatSync(file, { throwIfNoEntry: false }) !== undefined);
}

function attempt<Done>(file: string, act: () => Done): Done {
  try {
    return act();
  } catch (error) {
    throw isEngineError(error) ? error : createUnwritableError(file, error);
  }
}

function createUnwritableError(file: string, why: unknown): EngineError {
  return new EngineError("CLI_FILE_UNWRITABLE", `can't write "${file}": ${readMessage(why)}`, { file }, why);
}
